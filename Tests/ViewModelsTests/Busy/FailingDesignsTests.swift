import Protectors
import TestSupport
import Testing

/// Shows why `BusyController` registers in `activate()` and unregisters in `invalidate()`.
///
/// An object that registers in `init` and unregisters in `deinit` leaks or deadlocks.
@Suite struct FailingDesignsTests {
  @Test("unregistering in deinit leaks where the registration is strong")
  func aStrongRegistrationLeaks() {
    let lifetimes = Lifetimes()
    let subsystem = QueuedSubsystem()
    do {
      let object = UnregisteringInDeinit(subsystem, .strong, .unlimited, lifetimes)
      withExtendedLifetime(object) {}
    }
    // Only the registration holds the object, and only the object's `deinit` would remove the registration.
    // So neither is ever released.
    #expect(lifetimes.alive == 1)
    #expect(subsystem.observerCount == 1)
    subsystem.forgetObservers()
    #expect(lifetimes.alive == 0)
    #expect(subsystem.observerCount == 0)
  }

  @Test("unregistering in deinit deadlocks where the queue has the last reference")
  func aWeakRegistrationDeadlocks() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Trap.orDie()
      let entered = Signal()
      let proceed = Signal()
      let subsystem = QueuedSubsystem()
      var object: UnregisteringInDeinit? = UnregisteringInDeinit(
        subsystem, .weak, .unlimited, Lifetimes(), entered: entered, proceed: proceed)
      subsystem.callObservers()
      entered.wait()
      withExtendedLifetime(object) {}
      object = nil
      proceed.send()
      subsystem.finish()
    }
    #expect(
      Trap.message(in: result?.standardErrorContent)
        == "QueueProperty: used on the queue 'subsystem' where it must not be on it; "
        + "leave the queue first, with async to another one")
  }

  /// Shows the deadlock of an object that is registered weakly; a timeout ends its wait.
  ///
  /// The `deinit` blocks the queue while it waits for a work item of the same queue, so that work item can't
  /// begin.
  @Test("what such a deinit waits for can't happen before it returns")
  func theWaitOfSuchADeinitHasNoEnd() {
    let lifetimes = Lifetimes()
    let entered = Signal()
    let proceed = Signal()
    let sawItsEnd = Protector<Bool?>(nil)
    let subsystem = QueuedSubsystem()
    var object: UnregisteringInDeinit? = UnregisteringInDeinit(
      subsystem, .weak, .limited(.milliseconds(50), sawItsEnd: sawItsEnd), lifetimes,
      entered: entered, proceed: proceed)
    subsystem.callObservers()
    entered.wait()
    withExtendedLifetime(object) {}
    object = nil
    #expect(lifetimes.alive == 1)
    proceed.send()
    subsystem.finish()
    #expect(sawItsEnd.snapshot == false)
    #expect(lifetimes.alive == 0)
    subsystem.finish()
    #expect(subsystem.observerCount == 0)
  }

  /// Shows that the `deinit` of `UnregisteringInDeinit` returns if it does not run on the queue.
  ///
  /// This proves that running on the queue causes the deadlock.
  @Test func unregisteringInDeinitEndsOnAnotherThread() {
    let lifetimes = Lifetimes()
    let sawItsEnd = Protector<Bool?>(nil)
    let subsystem = QueuedSubsystem()
    do {
      let object = UnregisteringInDeinit(
        subsystem, .weak, .limited(Watchdog.limit, sawItsEnd: sawItsEnd), lifetimes)
      withExtendedLifetime(object) {}
    }
    #expect(sawItsEnd.snapshot == true)
    #expect(lifetimes.alive == 0)
    #expect(subsystem.observerCount == 0)
  }
}
