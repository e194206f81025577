import TestSupport
import Testing
import UnfairLocks

/// Tests misuse of `UnfairLock` that traps, beyond that in `ReadWriteLockContract`; each test runs in a process of its
/// own.
@Suite struct UnfairLockCrashTests {
  @Test func takingItTwiceTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let lock = UnfairLock()
      lock.withLock { lock.withLock {} }
    }
    #expect(
      result?.standardErrorContent.trap == "UnfairLock: locked by the thread that already holds it; "
        + "take it once, and call what needs it from outside the section")
  }

  @Test func anOwnerThatIsNoneTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      UnfairLock().precondition(.owner)
    }
    #expect(
      result?.standardErrorContent.trap
        == "UnfairLock: the calling thread does not hold the lock that it must hold here; "
        + "enter through withLock first")
  }

  @Test func anOwnerThatIsAnotherThreadTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let lock = UnfairLock()
      lock.withLock {
        onAnotherThread { lock.precondition(.owner, "to touch the index") }
      }
    }
    #expect(
      result?.standardErrorContent.trap
        == "UnfairLock: the calling thread does not hold the lock that it must hold here (to touch the index); "
        + "enter through withLock first")
  }

  @Test func anOwnerThatMustNotBeTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let lock = UnfairLock()
      lock.withLock { lock.precondition(.notOwner) }
    }
    #expect(
      result?.standardErrorContent.trap
        == "UnfairLock: the calling thread holds the lock that it must not hold here; leave the section first"
    )
  }
}
