public import ReadWriteLocks

// What locks offer whose waits can be limited.

extension LockProtector where Value: ~Copyable, Lock: TimedReadWriteLock & ~Copyable {
  /// Runs `body` in a write section, if it can be entered within `timeout`.
  ///
  /// It blocks its thread for `timeout` at most while others are in sections; there is no asynchronous form. It traps inside a
  /// write section of the same protector when `timeout` is not zero (see the lock's own documentation).
  ///
  /// - Parameters:
  ///   - timeout: How long to wait for the lock at most, on the monotonic clock. `.zero` tries once; a negative one
  ///     traps; one that the clock can't represent waits for ever.
  ///   - body: What to do with the value; its own time does not count.
  /// - Returns: What `body` returns; `nil` when the time passed first and `body` was not run.
  /// - Throws: What `body` throws; changes that it made before stay.
  /// - Complexity: That of the lock, plus one load.
  @inlinable
  public func withWriteLock<R: ~Copyable, E: Error>(
    timeout: Duration, _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    var served = ServedWaiters()
    defer { if served.isNotEmpty { served.wake() } }
    return try lock.withWriteLock(timeout: timeout) { () throws(E) -> sending R in
      defer { if waiters.isNotEmpty { served = serveWaiters() } }
      return try unsafe body(&value)
    }
  }

  /// Runs `body` in a write section, if it can be entered without waiting.
  ///
  /// - Parameter body: What to do with the value.
  /// - Returns: What `body` returns; `nil` when the lock can't be had now and `body` was not run.
  /// - Throws: What `body` throws; changes that it made before stay.
  /// - Complexity: That of the lock, plus one load.
  @inlinable
  public func withWriteLockIfAvailable<R: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    try withWriteLock(timeout: .zero, body)
  }
}

extension LockProtector where Value: Sendable & ~Copyable, Lock: TimedReadWriteLock & ~Copyable {
  /// Runs `body` in a read section, if one can be entered within `timeout`.
  ///
  /// It blocks its thread for `timeout` at most while another thread writes; there is no asynchronous form.
  ///
  /// - Parameters:
  ///   - timeout: How long to wait for the lock at most, on the monotonic clock. `.zero` tries once; a negative one
  ///     traps; one that the clock can't represent waits for ever.
  ///   - body: What to do with the value; its own time does not count.
  /// - Returns: What `body` returns; `nil` when the time passed first and `body` was not run.
  /// - Throws: What `body` throws.
  /// - Complexity: That of the lock, plus nothing.
  @inlinable
  public func withReadLock<R: ~Copyable, E: Error>(
    timeout: Duration, _ body: (borrowing Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    try lock.withReadLock(timeout: timeout) { () throws(E) -> sending R in
      try unsafe body(value)
    }
  }

  /// Runs `body` in a read section, if one can be entered without waiting.
  ///
  /// - Parameter body: What to do with the value.
  /// - Returns: What `body` returns; `nil` when the lock can't be had now and `body` was not run.
  /// - Throws: What `body` throws.
  /// - Complexity: That of the lock, plus nothing.
  @inlinable
  public func withReadLockIfAvailable<R: ~Copyable, E: Error>(
    _ body: (borrowing Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    try withReadLock(timeout: .zero, body)
  }
}
