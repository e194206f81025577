internal import Protectors

/// Tells threads to stop, and wakes those that sleep.
///
/// Closing is final. What a thread did before it closed the channel happens before what others do once they
/// have found it closed.
public final class StopChannel: Sendable {
  private struct State {
    var isClosed = false
    var nudges = 0
  }

  private let state = Protector(State())

  /// Makes an open channel.
  public init() {}

  /// Whether it has been closed.
  public var isClosed: Bool { state.withReadLock { $0.isClosed } }

  /// Closes it; all who wait return, at once.
  public func close() {
    state.withWriteLock { $0.isClosed = true }
  }

  /// Waits until it is closed.
  ///
  /// - Parameter timeout: How long to wait at most; a negative one traps.
  /// - Returns: Whether it is closed.
  @discardableResult
  public func waitUntilClosed(timeout: Duration) -> Bool {
    state.withReadLock(waitingUntil: { $0.isClosed }, timeout: timeout) { _ in }
  }

  // MARK: For clocks of one's own

  /// How often `nudge()` was called.
  public var nudges: Int { state.withReadLock { $0.nudges } }

  /// Makes those who wait for it look again: a clock that was moved on.
  public func nudge() {
    state.withWriteLock { $0.nudges += 1 }
  }

  /// Waits until it is closed or nudged.
  ///
  /// - Parameter nudges: As many as the caller knew of when it last looked at what it waits for.
  public func waitForNudge(after nudges: Int) {
    state.withReadLock(waitingUntil: { $0.isClosed || $0.nudges > nudges }) { _ in }
  }
}
