import Foundation
import Protectors
import ReadWriteLocks
import TestSupport
import Testing
import UnfairLocks

/// Tests how many protectors `withWriteLocks(_:_:)` acquires together.
@Suite struct WriteLocksLimitTests {
  /// Runs `body` on a thread with the stack that secondary threads have on Darwin, 512 KB.
  ///
  /// AddressSanitizer surrounds each variable with memory that nothing may touch, so its builds get 4 MB.
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

  /// Acquires as many protectors as possible.
  private static func acquireAll<Lock: TimedReadWriteLock & ~Copyable>(_ makeLock: @Sendable () -> Lock) {
    let protectors = (0..<256).map { LockProtector($0, lock: makeLock()) }
    let sum = withWriteLocks(protectors) { $0.reduce(0, +) }
    precondition(sum == 255 * 128)
  }

  /// The test runs in a process of its own, which an overflow of the stack would end.
  @Test func writeLocksOfTheGreatestNumberNeedLittleStack() async {
    await #expect(processExitsWith: .success) {
      Trap.orDie()
      WriteLocksLimitTests.onASmallStack { WriteLocksLimitTests.acquireAll { BiasedReadWriteLock() } }
      WriteLocksLimitTests.onASmallStack { WriteLocksLimitTests.acquireAll { CompactReadWriteLock() } }
      WriteLocksLimitTests.onASmallStack { WriteLocksLimitTests.acquireAll { SpinReadWriteLock() } }
      WriteLocksLimitTests.onASmallStack { WriteLocksLimitTests.acquireAll { UnfairLock() } }
      // ThreadSanitizer ends a process in which a thread holds more than 128 locks of the system.
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
