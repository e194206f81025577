import TestSupport
import Testing
import UnfairLocks

/// Tests every misuse of `UnfairLock` that traps; each test runs in a process of its own.
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

  @Test func takingItTwiceWithATimeoutTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let lock = UnfairLock()
      lock.withLock { _ = lock.withLock(timeout: .seconds(1000)) {} }
    }
    #expect(
      result?.standardErrorContent.trap == "UnfairLock: locked by the thread that already holds it; "
        + "take it once, and call what needs it from outside the section")
  }

  @Test func takingItTwiceWhileOthersWaitTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let lock = UnfairLock()
      race(threads: 4) { _ in
        for _ in 0..<100 {
          lock.withLock { PlatformThread.yield() }
        }
        lock.withLock { lock.withLock {} }
      }
    }
    #expect(
      result?.standardErrorContent.trap?
        .hasPrefix("UnfairLock: locked by the thread that already holds it; ") == true)
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

  @Test func aNegativeTimeoutTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = UnfairLock().withLock(timeout: .seconds(-2)) {}
    }
    #expect(
      result?.standardErrorContent.trap
        == "UnfairLock: a timeout of -2.0 seconds is negative; pass .zero to try once without waiting")
  }

  @Test func destroyingItWhileHeldTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      final class Owner: Sendable {
        let lock = UnfairLock()
      }
      // Releases the last reference to the owner within the critical section, which destroys the lock while
      // it is held.
      let owner = Unmanaged.passRetained(Owner())
      owner._withUnsafeGuaranteedRef { object in
        object.lock.withLock { owner.release() }
      }
    }
    #expect(
      result?.standardErrorContent.trap
        == "UnfairLock: destroyed while a thread holds it; keep the lock alive until every section has ended")
  }
}
