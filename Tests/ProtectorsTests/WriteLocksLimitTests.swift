import Foundation
import Protectors
import ReadWriteLocks
import TestSupport
import Testing
import UnfairLocks

/// Tests the limit on the number of protectors that `withWriteLocks(_:_:)` acquires together.
@Suite struct WriteLocksLimitTests {
  /// Runs `body` on a thread with a stack of 512 KB, the size for secondary threads on Darwin, and waits for
  /// its end.
  ///
  /// With AddressSanitizer the stack has 4 MB, because the sanitizer adds padding to each variable.
  private static func onASmallStack(_ body: @escaping @Sendable () -> Void) {
    let isOver = Signal()
    let thread = Thread {
      body()
      isOver.send()
    }
    thread.stackSize = Sanitizer.isAddressSanitizerActive ? 4 << 20 : 512 << 10
    thread.start()
    onAnotherThread { isOver.wait() }
  }

  /// Acquires 256 protectors, the greatest number that `withWriteLocks` permits, and checks the sum of their
  /// values.
  private static func acquireAll<Lock: TimedReadWriteLock & ~Copyable>(_ makeLock: @Sendable () -> Lock) {
    let protectors = (0..<256).map { LockProtector($0, lock: makeLock()) }
    let sum = withWriteLocks(protectors) { $0.reduce(0, +) }
    precondition(sum == 255 * 128)
  }

  /// A stack overflow would crash the process, so the test runs in a process of its own.
  @Test func writeLocksOfTheGreatestNumberNeedLittleStack() async {
    await #expect(processExitsWith: .success) {
      Trap.orDie()
      WriteLocksLimitTests.onASmallStack { WriteLocksLimitTests.acquireAll { BiasedReadWriteLock() } }
      WriteLocksLimitTests.onASmallStack { WriteLocksLimitTests.acquireAll { CompactReadWriteLock() } }
      WriteLocksLimitTests.onASmallStack { WriteLocksLimitTests.acquireAll { SpinReadWriteLock() } }
      WriteLocksLimitTests.onASmallStack { WriteLocksLimitTests.acquireAll { UnfairLock() } }
      // ThreadSanitizer aborts the process if a thread holds more than 128 pthread locks.
      if Sanitizer.isThreadSanitizerActive { return }
      WriteLocksLimitTests.onASmallStack { WriteLocksLimitTests.acquireAll { PosixReadWriteLock() } }
    }
  }

  @Test(arguments: [257, 100_000])
  func moreThanTheLimitTraps(count: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [count] in
      Trap.orDie()
      WriteLocksLimitTests.onASmallStack { withWriteLocks((0..<count).map { Protector($0) }) { _ in } }
    }
    let sentence =
      "withWriteLocks: given \(count) protectors, and 256 is the limit; "
      + "guard what changes together with one protector"
    #expect(Trap.message(in: result?.standardErrorContent) == sentence)
  }
}
