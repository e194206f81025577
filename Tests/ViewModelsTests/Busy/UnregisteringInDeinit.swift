import Protectors
import TestSupport

/// The object that should not be: it registers when it is made, and unregisters when it goes.
final class UnregisteringInDeinit: SubsystemObserver {
  private let subsystem: QueuedSubsystem
  private let tracked: Tracked
  private let limit: WaitLimit
  private let entered: Signal
  private let proceed: Signal

  /// How its `deinit` waits.
  enum WaitLimit {
    /// Until it is unregistered.
    case unlimited
    /// Not longer than this; what it saw is noted.
    case limited(Duration, sawItsEnd: Protector<Bool?>)
  }

  /// - Parameters:
  ///   - entered: Sent when the subsystem calls it.
  ///   - proceed: What the call waits for.
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
