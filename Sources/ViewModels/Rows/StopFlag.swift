internal import Protectors

/// A flag that tells threads to stop, and wakes threads that sleep.
///
/// The flag can't be cleared. A thread that finds it set sees all writes that the setting thread made before
/// `set()`.
public final class StopFlag: Sendable {
  private struct State {
    var isSet = false
    var notifications = 0
  }

  private let state = Protector(State())

  /// Makes a flag that is not set.
  public init() {}

  /// Whether the flag is set.
  public var isSet: Bool { state.withReadLock { $0.isSet } }

  /// Sets the flag and wakes all waiting threads.
  public func set() {
    state.withWriteLock { $0.isSet = true }
  }

  /// Waits until the flag is set.
  ///
  /// - Parameter timeout: The maximum time to wait; a negative timeout traps.
  /// - Returns: Whether the flag is set.
  @discardableResult
  public func waitUntilSet(timeout: Duration) -> Bool {
    state.withReadLock(waitingUntil: { $0.isSet }, timeout: timeout) { _ in }
  }

  // MARK: For clocks of one's own

  /// The number of calls of `notify()`.
  public var notifications: Int { state.withReadLock { $0.notifications } }

  /// Ends all running calls of `waitForNotification(after:)`.
  ///
  /// A clock that is advanced by hand calls `notify()` after each advance, so that sleeping threads read the
  /// new time.
  public func notify() {
    state.withWriteLock { $0.notifications += 1 }
  }

  /// Waits until the flag is set or notified.
  ///
  /// Returns immediately if the flag was notified since the caller read `notifications`.
  ///
  /// - Parameter notifications: The value of the property `notifications`, read before the caller checked its
  ///   condition.
  public func waitForNotification(after notifications: Int) {
    state.withReadLock(waitingUntil: { $0.isSet || $0.notifications > notifications }) { _ in }
  }
}
