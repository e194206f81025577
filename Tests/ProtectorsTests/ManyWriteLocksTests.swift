import Foundation
import Protectors
import ReadWriteLocks
import TestSupport
import Testing

/// Tests the limit on the number of protectors that `withWriteLocks(_:_:)` acquires together.
@Suite struct ManyWriteLocksTests {
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

  /// Acquires 10 000 protectors on a small stack, and checks the sum of their values.
  private static func acquireAll<Lock: RawLock & ~Copyable, Guarded: GuardedValue<Int, Lock>>(
    _ protect: @escaping @Sendable (Int) -> Guarded
  ) {
    onASmallStack {
      let protectors = (0..<10_000).map(protect)
      let sum = withWriteLocks(protectors) { $0.reduce(0, +) }
      precondition(sum == 9_999 * 5_000)
    }
  }

  /// A stack overflow would crash the process, so the test runs in a process of its own.
  @Test func thousandsOfWriteLocksNeedLittleStack() async {
    await #expect(processExitsWith: .success) {
      Self.acquireAll { Protector($0) }
      Self.acquireAll { LockProtector($0, lock: CompactReadWriteLock()) }
      Self.acquireAll { LockProtector($0, lock: SpinReadWriteLock()) }
      Self.acquireAll { ExclusiveProtector($0) }
      // ThreadSanitizer aborts the process if a thread holds more than 128 pthread locks.
      if Sanitizer.isThreadSanitizerActive { return }
      Self.acquireAll { LockProtector($0, lock: PosixReadWriteLock()) }
    }
  }
}
