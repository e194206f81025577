public import ReadWriteLocks
public import UnfairLocks

// A lock that excludes everybody has no need of the word "write".

extension LockProtector where Value: ~Copyable, Lock == UnfairLock {
  /// Runs `body` with the value, while nobody else does anything with it.
  ///
  /// The same as `withWriteLock(_:)`.
  ///
  /// - Parameter body: What to do with the value.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; changes that it made before stay.
  @inlinable
  @inline(__always)
  public func withLock<R: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    try withWriteLock(body)
  }

  /// Runs `body` with the value and with `sent`, while nobody else does anything with the value.
  ///
  /// The same as `withWriteLock(sending:_:)`.
  ///
  /// - Parameters:
  ///   - sent: What to hand in; nobody else may keep a reference into it, which the compiler checks in Swift 6 mode.
  ///   - body: What to do with the value and with `sent`, which belongs to it.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; changes that it made before stay.
  @inlinable
  public func withLock<Sent: ~Copyable, R: ~Copyable, E: Error>(
    sending sent: consuming sending Sent,
    _ body: (inout sending Value, consuming sending Sent) throws(E) -> sending R
  ) throws(E) -> sending R {
    try withWriteLock(sending: sent, body)
  }

  /// Runs `body` with the value, if the lock can be had within `timeout`.
  ///
  /// The same as `withWriteLock(timeout:_:)`.
  ///
  /// - Parameters:
  ///   - timeout: How long to wait for the lock at most, on the monotonic clock; a negative one traps.
  ///   - body: What to do with the value; its own time does not count.
  /// - Returns: What `body` returns; `nil` when the time passed first and `body` was not run.
  /// - Throws: What `body` throws; changes that it made before stay.
  @inlinable
  public func withLock<R: ~Copyable, E: Error>(
    timeout: Duration, _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    try withWriteLock(timeout: timeout, body)
  }

  /// Runs `body` with the value, if the lock can be had within `timeout`.
  ///
  /// The form for a body that returns nothing.
  ///
  /// - Parameters:
  ///   - timeout: How long to wait for the lock at most, on the monotonic clock; a negative one traps.
  ///   - body: What to do with the value; its own time does not count.
  /// - Returns: Whether `body` was run; `false` when the time passed first.
  /// - Throws: What `body` throws; changes that it made before stay.
  @inlinable
  public func withLock<E: Error>(
    timeout: Duration, _ body: (inout sending Value) throws(E) -> Void
  ) throws(E) -> Bool {
    try withWriteLock(timeout: timeout, body)
  }

  /// Runs `body` with the value, if the lock can be had without waiting.
  ///
  /// The same as `withWriteLockIfAvailable(_:)`.
  ///
  /// - Parameter body: What to do with the value.
  /// - Returns: What `body` returns; `nil` when the lock can't be had now and `body` was not run.
  /// - Throws: What `body` throws; changes that it made before stay.
  @inlinable
  public func withLockIfAvailable<R: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    try withWriteLockIfAvailable(body)
  }

  /// Runs `body` with the value, if the lock can be had without waiting.
  ///
  /// The form for a body that returns nothing.
  ///
  /// - Parameter body: What to do with the value.
  /// - Returns: Whether `body` was run; `false` when the lock can't be had now.
  /// - Throws: What `body` throws; changes that it made before stay.
  @inlinable
  public func withLockIfAvailable<E: Error>(
    _ body: (inout sending Value) throws(E) -> Void
  ) throws(E) -> Bool {
    try withWriteLockIfAvailable(body)
  }
}
