internal import Protectors

/// A flag that tells threads to stop, and wakes threads that sleep.
///
/// Closing is final. A thread that finds the channel closed sees all writes that the closing thread made
/// before.
public final class StopChannel: Sendable {
  private struct State {
    var isClosed = false
    var nudges = 0
  }

  private let state = Protector(State())

  /// Makes an open channel.
  public init() {}

  /// Whether the channel has been closed.
  public var isClosed: Bool { state.withReadLock { $0.isClosed } }

  /// Closes the channel and wakes all waiting threads.
  public func close() {
    state.withWriteLock { $0.isClosed = true }
  }

  /// Waits until the channel is closed.
  ///
  /// - Parameter timeout: The maximum time to wait; a negative timeout traps.
  /// - Returns: Whether the channel is closed.
  @discardableResult
  public func waitUntilClosed(timeout: Duration) -> Bool {
    state.withReadLock(waitingUntil: { $0.isClosed }, timeout: timeout) { _ in }
  }

  // MARK: For clocks of one's own

  /// How often `nudge()` was called.
  public var nudges: Int { state.withReadLock { $0.nudges } }

  /// Ends all running calls of `waitForNudge(after:)`.
  ///
  /// A clock that is advanced by hand calls `nudge()` after each advance, so that sleeping threads read the
  /// new time.
  public func nudge() {
    state.withWriteLock { $0.nudges += 1 }
  }

  /// Waits until the channel is closed or nudged.
  ///
  /// Returns at once if the channel was nudged since the caller read `nudges`.
  ///
  /// - Parameter nudges: The value of the property `nudges`, read before the caller checked its condition.
  public func waitForNudge(after nudges: Int) {
    state.withReadLock(waitingUntil: { $0.isClosed || $0.nudges > nudges }) { _ in }
  }
}
