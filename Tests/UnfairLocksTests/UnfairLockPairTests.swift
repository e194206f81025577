import TestSupport
import Testing
import UnfairLocks

/// Tests `unsafeLock()` with `unsafeUnlock()`, and the misuses of them that trap.
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
    let isFree = onAnotherThread { lock.withLockIfAvailable {} }
    #expect(!isFree)
    lock.unsafeUnlock()
    #expect(lock.withLockIfAvailable {})
  }

  @Test func lockingTwiceTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      onAnotherThread {
        let lock = UnfairLock()
        lock.unsafeLock()
        lock.unsafeLock()
      }
    }
    #expect(
      result?.standardErrorContent.trap == "UnfairLock: locked by the thread that already holds it; "
        + "take it once, and call what needs it from outside the section")
  }

  @Test func unlockingAFreeLockTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      onAnotherThread {
        UnfairLock().unsafeUnlock()
      }
    }
    #expect(
      result?.standardErrorContent.trap
        == "UnfairLock: unlocked by a thread that does not hold it; unlock once, on the thread that locked")
  }

  @Test func unlockingTheLockOfAnotherThreadTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      onAnotherThread {
        let lock = UnfairLock()
        lock.unsafeLock()
        onAnotherThread { lock.unsafeUnlock() }
      }
    }
    #expect(
      result?.standardErrorContent.trap
        == "UnfairLock: unlocked by a thread that does not hold it; unlock once, on the thread that locked")
  }
}
