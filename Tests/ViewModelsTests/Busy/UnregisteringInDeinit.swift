import Protectors
import TestSupport

/// A bad design: an object that registers when it is made, and unregisters in its `deinit`.
final class UnregisteringInDeinit: SubsystemObserver {
  private let subsystem: QueuedSubsystem
  private let tracked: Tracked
  private let limit: WaitLimit
  private let entered: Signal
  private let proceed: Signal

  /// The time limit of the wait in `deinit`.
  enum WaitLimit {
    /// Waits until the object is unregistered.
    case unlimited
    /// Waits for at most the given time, and stores in `sawItsEnd` whether the object was unregistered in
    /// time.
    case limited(Duration, sawItsEnd: Protector<Bool?>)
  }

  /// Makes an object.
  ///
  /// - Parameters:
  ///   - subsystem: The subsystem to register with.
  ///   - hold: The kind of reference from the registration to the object.
  ///   - limit: The time limit of the wait in `deinit`.
  ///   - lifetimes: Counts the objects that are alive.
  ///   - entered: The signal that the object sends when the subsystem calls it.
  ///   - proceed: The signal that the object then waits for, before the call returns.
  init(
    _ subsystem: QueuedSubsystem, _ hold: QueuedSubsystem.Hold, _ limit: WaitLimit, _ lifetimes: Lifetimes,
    entered: Signal = Signal(), proceed: Signal = Signal()
  ) {
    self.subsystem = subsystem
    self.limit = limit
    self.entered = entered
    self.proceed = proceed
    tracked = Tracked(lifetimes, number: 1)
    subsystem.register(self, id: tracked.number, hold)
  }

  deinit {
    switch limit {
    case .unlimited:
      subsystem.unregister(tracked.number)
    case .limited(let timeout, let sawItsEnd):
      let isUnregistered = subsystem.unregister(tracked.number, timeout: timeout)
      sawItsEnd.exchange(isUnregistered)
    }
  }

  func isCalled() {
    entered.send()
    proceed.wait()
  }
}
