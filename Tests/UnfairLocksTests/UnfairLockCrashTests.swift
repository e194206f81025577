import TestSupport
import Testing
import UnfairLocks

/// Tests misuse of `UnfairLock` that traps, beyond that in `ReadWriteLockContract`; each is committed in a process of
/// its own.
@Suite struct UnfairLockCrashTests {
  private static let notHeld =
    "UnfairLock: unlocked by a thread that does not hold it; unlock once, on the thread that locked"

  private static let lockedTwice =
    "UnfairLock: locked by the thread that already holds it; "
    + "take it once, and call what needs it from outside the section"

  private static let misuses = [
    Misuse(
      "UnfairLock: the calling thread does not hold the lock that it must hold here",
      "enter through withLock first"
    ) {
      UnfairLock().precondition(.owner)
    },
    // Another thread holds it.
    Misuse(
      "UnfairLock: the calling thread does not hold the lock that it must hold here (to touch the index)",
      "enter through withLock first"
    ) {
      let lock = UnfairLock()
      lock.withLock {
        onAnotherThread { lock.precondition(.owner, "to touch the index") }
      }
    },
    Misuse(
      "UnfairLock: the calling thread holds the lock that it must not hold here", "leave the section first"
    ) {
      let lock = UnfairLock()
      lock.withLock { lock.precondition(.notOwner) }
    },
    Misuse(lockedTwice) {
      let lock = UnfairLock()
      lock.withLock { lock.withLock {} }
    },
    Misuse(lockedTwice) {
      onAnotherThread {
        let lock = UnfairLock()
        lock.unsafeLock()
        lock.unsafeLock()
      }
    },
    Misuse(notHeld) { onAnotherThread { UnfairLock().unsafeUnlock() } },
    Misuse(notHeld) {
      onAnotherThread {
        let lock = UnfairLock()
        lock.unsafeLock()
        onAnotherThread { lock.unsafeUnlock() }
      }
    },
  ]

  @Test(arguments: misuses.indices) func misuseTraps(index: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [index] in
      try await Self.misuses[index].commit()
    }
    #expect(result?.standardErrorContent.trap == Self.misuses[index].message)
  }
}
