import AtomicProperties
import Dispatch
import Protectors
import TestSupport
import Testing

/// Shows why `BusyController` registers in `activate()` and unregisters in `invalidate()`.
///
/// An object that registers in `init` and unregisters in `deinit` leaks or deadlocks.
@Suite struct FailingDesignsTests {
  /// A subsystem that calls its observers on its own queue; unregistering is a work item of that queue.
  private final class Subsystem: Sendable {
    private let queue = DispatchQueue(label: "subsystem")
    let observers = ExclusiveProtector<[@Sendable () -> Observer?]>([])
    /// A property of the queue, used only for `preconditionNotOnQueue()`, which traps calls on the queue.
    private let turn: QueueProperty<Int>

    init() {
      turn = QueueProperty(0, on: queue)
    }

    func hold(_ observer: @escaping @Sendable () -> Observer?) {
      observers.withLock { $0.append(observer) }
    }

    func unregisterAll() {
      turn.preconditionNotOnQueue()
      queue.sync { _ = observers.exchange([]) }
    }

    func callObservers() {
      queue.async { for observer in self.observers.withLock({ $0 }) { observer()?.isCalled() } }
    }

    func finish() { queue.sync {} }
  }

  private final class Observer: Sendable {
    private let subsystem: Subsystem
    private let tracked: Tracked
    let (entered, proceed) = (Signal(), Signal())

    init(_ subsystem: Subsystem, _ lifetimes: Lifetimes, isHeldStrongly: Bool) {
      self.subsystem = subsystem
      tracked = Tracked(lifetimes)
      if isHeldStrongly {
        subsystem.hold { self }
      } else {
        subsystem.hold { [weak self] in self }
      }
    }

    deinit {
      subsystem.unregisterAll()
    }

    func isCalled() {
      entered.send()
      proceed.wait()
    }
  }

  @Test("unregistering in deinit leaks where the registration is strong")
  func aStrongRegistrationLeaks() {
    let lifetimes = Lifetimes()
    let subsystem = Subsystem()
    do { _ = Observer(subsystem, lifetimes, isHeldStrongly: true) }
    // Only the registration holds the object, and only the object's `deinit` would remove the registration.
    #expect(lifetimes.alive == 1)
    subsystem.observers.exchange([])
    #expect(lifetimes.alive == 0)
  }

  @Test("unregistering in deinit ends on another thread than the queue's, where the registration is weak")
  func aWeakRegistrationEnds() {
    let lifetimes = Lifetimes()
    let subsystem = Subsystem()
    do { _ = Observer(subsystem, lifetimes, isHeldStrongly: false) }
    #expect(lifetimes.alive == 0 && subsystem.observers.withLock { $0.isEmpty })
  }

  @Test("unregistering in deinit deadlocks where the queue has the last reference")
  func aWeakRegistrationDeadlocks() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Trap.orDie()
      let subsystem = Subsystem()
      var object: Observer? = Observer(subsystem, Lifetimes(), isHeldStrongly: false)
      let (entered, proceed) = (object!.entered, object!.proceed)
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
}
