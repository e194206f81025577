internal import Protectors

/// A flag that tells threads to stop, and wakes those that sleep.
///
/// The flag can't be cleared. A thread that finds it set sees all writes that the setting thread made before.
public final class StopFlag: Sendable {
  private let state = Protector(false)

  /// Creates a flag that is not set.
  public init() {}

  /// Whether the flag is set.
  public var isSet: Bool { state.withReadLock { $0 } }

  /// Sets the flag and wakes all waiting threads.
  public func set() {
    state.withWriteLock { $0 = true }
  }

  /// Blocks until the flag is set.
  ///
  /// - Parameter timeout: The maximum time to wait; a negative timeout traps.
  /// - Returns: Whether the flag is set.
  @discardableResult
  public func waitUntilSet(timeout: Duration? = nil) -> Bool {
    (try? state.withReadLock(waitingUntil: { $0 }, timeout: timeout) { _ in }) != nil
  }
}
