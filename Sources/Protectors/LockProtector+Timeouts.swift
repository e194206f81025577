public import InterlockCore
public import ReadWriteLocks

// Functions with a timeout, for protectors whose locks support timeouts.

extension LockProtector where Value: ~Copyable, Lock: RawReadWriteLock & ~Copyable {
  /// Runs `body` in a write section, unless `timeout` passes before the lock can be acquired.
  ///
  /// Blocks the calling thread for at most `timeout` while other threads hold the lock. There is no
  /// asynchronous form. Traps inside a write section of the same protector when `timeout` is not zero. Inside
  /// a read section it traps or waits in vain, as the lock's type documents.
  ///
  /// - **Wait**: it ends with the last unlock; cancellation has no effect; `timeout` limits it; whom the lock's
  ///   type serves next; whose priority it lends, the type says; its throw leaves the value as it is.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait for the lock, on the monotonic clock. `.zero` tries once. A
  ///     negative timeout traps. A timeout that the clock can't represent waits forever.
  ///   - body: Reads or changes the value. The timeout does not limit how long it runs.
  /// - Returns: The result of `body`.
  /// - Throws: `TimeoutError` instead of running `body`, if the timeout passes first. The error of `body`: changes that
  ///   `body` has already made are kept.
  /// - Complexity: Same as the lock, plus one load to check whether threads wait.
  @_alwaysEmitIntoClient
  @inline(always)
  public func withWriteLock<R: ~Copyable, E: Error>(
    timeout: Duration, _ body: (inout sending Value) throws(E) -> sending R
  ) throws -> sending R {
    try beginWriting(timeout: timeout)
    return try finishWriting(body)
  }

  /// Runs `body` in a write section, if the lock can be acquired without waiting.
  ///
  /// Inside a section of the same protector it returns `nil`.
  ///
  /// - Parameter body: Reads or changes the value.
  /// - Returns: The result of `body`; `nil` when the lock is not available now and `body` was not run.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  /// - Complexity: Same as the lock, plus one load to check whether threads wait.
  @_alwaysEmitIntoClient
  @inline(always)
  public func withWriteLockIfAvailable<R: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    guard beginWritingIfAvailable() else { return nil }
    return try finishWriting(body)
  }
}

extension LockProtector where Value: Sendable & ~Copyable, Lock: RawReadWriteLock & ~Copyable {
  /// Runs `body` in a read section, unless `timeout` passes before the lock can be acquired.
  ///
  /// Blocks the calling thread for at most `timeout` while another thread writes. There is no asynchronous
  /// form. Traps inside a write section of the same protector when `timeout` is not zero.
  ///
  /// - **Wait**: it ends with the unlock of a writer; cancellation has no effect; `timeout` limits it; whom the
  ///   lock's type serves next; whose priority it lends, the type says; its throw leaves the value as it is.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait for the lock, on the monotonic clock. `.zero` tries once. A
  ///     negative timeout traps. A timeout that the clock can't represent waits forever.
  ///   - body: Reads the value. The timeout does not limit how long it runs.
  /// - Returns: The result of `body`.
  /// - Throws: `TimeoutError` instead of running `body`, if the timeout passes first; the error of `body`.
  /// - Complexity: Same as the lock.
  @_alwaysEmitIntoClient
  @inline(always)
  public func withReadLock<R: ~Copyable, E: Error>(
    timeout: Duration, _ body: (borrowing Value) throws(E) -> sending R
  ) throws -> sending R {
    let timeout = Timeout(timeout, for: ownLock.probe.primitive(Lock.kindInProtector))
    guard let token = ownLock.beginReading(timeout: timeout, for: Lock.kindInProtector) else {
      throw timeoutPassed()
    }
    return try finishReading(token, body)
  }

  /// Runs `body` in a read section, if the lock can be acquired without waiting.
  ///
  /// Inside a write section of the same protector it returns `nil`.
  ///
  /// - Parameter body: Reads the value.
  /// - Returns: The result of `body`; `nil` when the lock is not available now and `body` was not run.
  /// - Throws: The error of `body`.
  /// - Complexity: Same as the lock.
  @_alwaysEmitIntoClient
  @inline(always)
  public func withReadLockIfAvailable<R: ~Copyable, E: Error>(
    _ body: (borrowing Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    guard let token = ownLock.tryReading(until: .passed, for: Lock.kindInProtector) else { return nil }
    return try finishReading(token, body)
  }

  /// Runs `body` in the read section that has begun, and ends it.
  @_alwaysEmitIntoClient
  @inline(always)
  func finishReading<R: ~Copyable, E: Error>(
    _ token: Lock.ReadToken, _ body: (borrowing Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    try ownLock.finishReading(token, for: Lock.kindInProtector) { () throws(E) in try unsafe body(data) }
  }
}
