import TestSupport
import Testing
import UnfairLocks

/// Tests `unsafeLock()` with `unsafeUnlock()`; `UnfairLockCrashTests` tests the misuses of them that trap.
@Suite struct UnfairLockPairTests {
  @Test func aPairExcludesOthers() {
    let lock = UnfairLock()
    nonisolated(unsafe) var count = 0
    race(threads: 4) { _ in
      for _ in 0..<1000 {
        lock.unsafeLock()
        defer { lock.unsafeUnlock() }
        count += 1
      }
    }
    #expect(count == 4000)
  }

  @Test func aPairAndASectionExcludeOneAnother() {
    let lock = UnfairLock()
    lock.unsafeLock()
    lock.precondition(.owner)
    let isFree: Void? = onAnotherThread { lock.withLockIfAvailable {} }
    #expect(isFree == nil)
    lock.unsafeUnlock()
    #expect(lock.withLockIfAvailable {} != nil)
  }
}
