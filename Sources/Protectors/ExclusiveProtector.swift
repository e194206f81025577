public import ReadWriteLocks
public import UnfairLocks

// A lock without shared reads has only one kind of section, so these functions need no "write" in their
// names.

extension LockProtector where Value: ~Copyable, Lock == UnfairLock {
  /// Runs `body` with the value, while no other thread reads or writes it.
  ///
  /// Acts as `withWriteLock(_:)`.
  ///
  /// - Parameter body: Reads or changes the value.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; changes that it made before stay.
  @inlinable
  @inline(always)
  public func withLock<R: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    try withWriteLock(body)
  }

  /// Runs `body` with the value and with `sent`, while no other thread reads or writes the value.
  ///
  /// Acts as `withWriteLock(sending:_:)`.
  ///
  /// - Parameters:
  ///   - sent: A value that is moved into `body`. No other code may keep a reference into it, which the
  ///     compiler checks in Swift 6 mode.
  ///   - body: Reads or changes the value, and consumes `sent`.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; changes that it made before stay.
  @inlinable
  public func withLock<Sent: ~Copyable, R: ~Copyable, E: Error>(
    sending sent: consuming sending Sent,
    _ body: (inout sending Value, consuming sending Sent) throws(E) -> sending R
  ) throws(E) -> sending R {
    try withWriteLock(sending: sent, body)
  }

  /// Runs `body` with the value, if the lock can be acquired within `timeout`.
  ///
  /// Acts as `withWriteLock(timeout:_:)`.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait for the lock, on the monotonic clock. A negative timeout traps.
  ///   - body: Reads or changes the value; its own time does not count.
  /// - Returns: What `body` returns; `nil` when the time passed first and `body` was not run.
  /// - Throws: What `body` throws; changes that it made before stay.
  @inlinable
  public func withLock<R: ~Copyable, E: Error>(
    timeout: Duration, _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    try withWriteLock(timeout: timeout, body)
  }

  /// Runs `body` with the value, if the lock can be acquired within `timeout`.
  ///
  /// This is for a body that returns nothing.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait for the lock, on the monotonic clock. A negative timeout traps.
  ///   - body: Reads or changes the value; its own time does not count.
  /// - Returns: Whether `body` was run; `false` when the time passed first.
  /// - Throws: What `body` throws; changes that it made before stay.
  @inlinable
  public func withLock<E: Error>(
    timeout: Duration, _ body: (inout sending Value) throws(E) -> Void
  ) throws(E) -> Bool {
    try withWriteLock(timeout: timeout, body)
  }

  /// Runs `body` with the value, if the lock can be acquired without waiting.
  ///
  /// Acts as `withWriteLockIfAvailable(_:)`.
  ///
  /// - Parameter body: Reads or changes the value.
  /// - Returns: What `body` returns; `nil` when the lock is not available now and `body` was not run.
  /// - Throws: What `body` throws; changes that it made before stay.
  @inlinable
  public func withLockIfAvailable<R: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    try withWriteLockIfAvailable(body)
  }

  /// Runs `body` with the value, if the lock can be acquired without waiting.
  ///
  /// This is for a body that returns nothing.
  ///
  /// - Parameter body: Reads or changes the value.
  /// - Returns: Whether `body` was run; `false` when the lock is not available now.
  /// - Throws: What `body` throws; changes that it made before stay.
  @inlinable
  public func withLockIfAvailable<E: Error>(
    _ body: (inout sending Value) throws(E) -> Void
  ) throws(E) -> Bool {
    try withWriteLockIfAvailable(body)
  }
}
