import Protectors
import TestSupport

/// A bad design: an object that registers when it is made, and unregisters in its `deinit`.
final class UnregisteringInDeinit: SubsystemObserver {
  private let subsystem: QueuedSubsystem
  private let tracked: Tracked
  private let limit: WaitLimit
  private let entered: Signal
  private let proceed: Signal

  /// How the `deinit` waits.
  enum WaitLimit {
    /// Waits until the object is unregistered.
    case unlimited
    /// Waits at most for this time.
    ///
    /// Whether the object was unregistered in time is recorded.
    case limited(Duration, sawItsEnd: Protector<Bool?>)
  }

  /// Makes an object.
  ///
  /// - Parameters:
  ///   - entered: Sent when the subsystem calls the object.
  ///   - proceed: The call waits for this signal.
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
