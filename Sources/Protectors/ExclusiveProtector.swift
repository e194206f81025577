public import ReadWriteLocks
public import UnfairLocks

// A lock without shared reads has only one kind of section, so the functions of an exclusive protector need
// no "write" in their names. The functions `withReadLock` and `withWriteLock` are for code that is generic
// over locks.

extension LockProtector where Value: ~Copyable, Lock == UnfairLock {
  /// Runs `body` with the value, while no other thread reads or writes it.
  ///
  /// Equivalent to `withWriteLock(_:)`. Blocks while another thread is in a section. Traps inside a section
  /// of the same protector.
  ///
  /// - Parameter body: Reads or changes the value.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  @_alwaysEmitIntoClient
  @inline(always)
  public func withLock<R: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    try withWriteLock(body)
  }

  /// Runs `body` with the value and with `sent`, while no other thread reads or writes the value.
  ///
  /// Equivalent to `withWriteLock(sending:_:)`.
  ///
  /// - Parameters:
  ///   - sent: A value that is moved into `body`. No other code may keep a reference into it, which the
  ///     compiler checks in Swift 6 mode.
  ///   - body: Reads or changes the value, and consumes `sent`.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  @_alwaysEmitIntoClient
  public func withLock<Sent: ~Copyable, R: ~Copyable, E: Error>(
    sending sent: consuming sending Sent,
    _ body: (inout sending Value, consuming sending Sent) throws(E) -> sending R
  ) throws(E) -> sending R {
    try withWriteLock(sending: sent, body)
  }

  /// Runs `body` with the value, if the lock can be acquired within `timeout`.
  ///
  /// Equivalent to `withWriteLock(timeout:_:)`.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait for the lock, on the monotonic clock. A negative timeout traps.
  ///   - body: Reads or changes the value. The timeout does not limit how long it runs.
  /// - Returns: The result of `body`; `nil` if the timeout passed first and `body` was not run.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  @_alwaysEmitIntoClient
  public func withLock<R: ~Copyable, E: Error>(
    timeout: Duration, _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    try withWriteLock(timeout: timeout, body)
  }

  /// Runs `body` with the value, if the lock can be acquired within `timeout`.
  ///
  /// This overload is for a body that returns nothing. It blocks and traps as the overload for bodies with a
  /// result does.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait for the lock, on the monotonic clock. A negative timeout traps.
  ///   - body: Reads or changes the value. The timeout does not limit how long it runs.
  /// - Returns: Whether `body` was run; `false` if the timeout passed first.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  @_alwaysEmitIntoClient
  public func withLock<E: Error>(
    timeout: Duration, _ body: (inout sending Value) throws(E) -> Void
  ) throws(E) -> Bool {
    try withWriteLock(timeout: timeout, body)
  }

  /// Runs `body` with the value, if the lock can be acquired without waiting.
  ///
  /// Equivalent to `withWriteLockIfAvailable(_:)`.
  ///
  /// - Parameter body: Reads or changes the value.
  /// - Returns: The result of `body`; `nil` when the lock is not available now and `body` was not run.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  @_alwaysEmitIntoClient
  public func withLockIfAvailable<R: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    try withWriteLockIfAvailable(body)
  }

  /// Runs `body` with the value, if the lock can be acquired without waiting.
  ///
  /// This overload is for a body that returns nothing.
  ///
  /// - Parameter body: Reads or changes the value.
  /// - Returns: Whether `body` was run; `false` when the lock is not available now.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  @_alwaysEmitIntoClient
  public func withLockIfAvailable<E: Error>(
    _ body: (inout sending Value) throws(E) -> Void
  ) throws(E) -> Bool {
    try withWriteLockIfAvailable(body)
  }

  /// Runs `body` with the value if `predicate` holds; never waits for the predicate to hold.
  ///
  /// The check and the change are one atomic step. Blocks and traps as `withLock(_:)` does.
  ///
  /// - Parameters:
  ///   - predicate: Decides whether `body` runs; evaluated once, under the lock. Its captures must be
  ///     `Sendable`.
  ///   - body: Reads or changes the value.
  /// - Returns: The result of `body`; `nil` when the predicate does not hold.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  @_alwaysEmitIntoClient
  @inline(always)
  public func withLock<R: ~Copyable, E: Error>(
    when predicate: @Sendable (borrowing Value) -> Bool,
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    try withWriteLock(ifNow: predicate, body)
  }

  /// Runs `body` with the value if `predicate` holds; never waits for the predicate to hold.
  ///
  /// This overload is for a body that returns nothing. It blocks and traps as the overload for bodies with a
  /// result does.
  ///
  /// - Parameters:
  ///   - predicate: Decides whether `body` runs; evaluated once, under the lock. Its captures must be
  ///     `Sendable`.
  ///   - body: Reads or changes the value.
  /// - Returns: Whether `body` was run; `false` when the predicate does not hold.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  @_alwaysEmitIntoClient
  @inline(always)
  public func withLock<E: Error>(
    when predicate: @Sendable (borrowing Value) -> Bool,
    _ body: (inout sending Value) throws(E) -> Void
  ) throws(E) -> Bool {
    let done: Void? = try withWriteLock(ifNow: predicate) { value throws(E) in try body(&value) }
    return done != nil
  }

  /// Runs `body` with the value as soon as `predicate` holds; sleeps until then.
  ///
  /// Equivalent to `withWriteLock(waitingUntil:_:)`: it blocks the thread, and no waiting thread starves.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run; see `withWriteLock(waitingUntil:_:)`.
  ///   - body: Reads or changes the value.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  @available(
    *, noasync,
    message:
      "it blocks the thread; await the form whose result is optional, or call it on a thread of your own; at the top level of main.swift, put that into a function that is not async"
  )
  @_alwaysEmitIntoClient
  @inline(always)
  public func withLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    try withWriteLock(waitingUntil: predicate, body)
  }

  /// Runs `body` with the value and with `sent` as soon as `predicate` holds; sleeps until then.
  ///
  /// Equivalent to `withWriteLock(waitingUntil:sending:_:)`.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run; see `withWriteLock(waitingUntil:_:)`.
  ///   - sent: A value that is moved into `body`. No other code may keep a reference into it, which the
  ///     compiler checks in Swift 6 mode.
  ///   - body: Reads or changes the value, and consumes `sent`.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  @available(
    *, noasync,
    message:
      "it blocks the thread; call it on a thread of your own; at the top level of main.swift, put that into a function that is not async"
  )
  @_alwaysEmitIntoClient
  @inline(always)
  public func withLock<Sent: ~Copyable, R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    sending sent: consuming sending Sent,
    _ body: (inout sending Value, consuming sending Sent) throws(E) -> sending R
  ) throws(E) -> sending R {
    try withWriteLock(waitingUntil: predicate, sending: sent, body)
  }

  /// Runs `body` with the value as soon as `predicate` holds, if that happens within `timeout`.
  ///
  /// Equivalent to `withWriteLock(waitingUntil:timeout:_:)`.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run; see `withWriteLock(waitingUntil:_:)`.
  ///   - timeout: The maximum time to wait, for the lock and for the predicate, on the monotonic clock.
  ///     `.zero` checks once, and `nil` waits for ever. A negative timeout traps.
  ///   - body: Reads or changes the value. The timeout does not limit how long it runs.
  /// - Returns: The result of `body`; `nil` if the timeout passed first and `body` was not run.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  @available(
    *, noasync,
    message:
      "it blocks the thread; await the form whose result is optional, or call it on a thread of your own; at the top level of main.swift, put that into a function that is not async"
  )
  @_alwaysEmitIntoClient
  @inline(always)
  public func withLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    timeout: Duration?,
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    try withWriteLock(waitingUntil: predicate, timeout: timeout, body)
  }

  /// Runs `body` with the value as soon as `predicate` holds, if that happens within `timeout`.
  ///
  /// This overload is for a body that returns nothing. It blocks and traps as the overload for bodies with a
  /// result does.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run; see `withWriteLock(waitingUntil:_:)`.
  ///   - timeout: The maximum time to wait, on the monotonic clock. `nil` waits for ever. A negative timeout
  ///     traps.
  ///   - body: Reads or changes the value. The timeout does not limit how long it runs.
  /// - Returns: Whether `body` was run; `false` if the timeout passed first.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  @available(
    *, noasync,
    message:
      "it blocks the thread; await the form whose result is optional, or call it on a thread of your own; at the top level of main.swift, put that into a function that is not async"
  )
  @_alwaysEmitIntoClient
  @inline(always)
  public func withLock<E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    timeout: Duration?,
    _ body: (inout sending Value) throws(E) -> Void
  ) throws(E) -> Bool {
    try withWriteLock(waitingUntil: predicate, timeout: timeout, body)
  }
}

extension LockProtector where Value: Sendable & ~Copyable, Lock == UnfairLock {
  /// Runs `body` with the value if `predicate` holds; never waits for the predicate to hold.
  ///
  /// The check and the change are one atomic step. The captures of `predicate` need not be `Sendable`,
  /// because the value is. Blocks and traps as `withLock(_:)` does.
  ///
  /// - Parameters:
  ///   - predicate: Decides whether `body` runs; evaluated once, under the lock.
  ///   - body: Reads or changes the value.
  /// - Returns: The result of `body`; `nil` when the predicate does not hold.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  @_alwaysEmitIntoClient
  @inline(always)
  public func withLock<R: ~Copyable, E: Error>(
    when predicate: (borrowing Value) -> Bool,
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    try withWriteLock(ifNow: predicate, body)
  }

  /// Runs `body` with the value if `predicate` holds; never waits for the predicate to hold.
  ///
  /// This overload is for a body that returns nothing. It blocks and traps as the overload for bodies with a
  /// result does.
  ///
  /// - Parameters:
  ///   - predicate: Decides whether `body` runs; evaluated once, under the lock.
  ///   - body: Reads or changes the value.
  /// - Returns: Whether `body` was run; `false` when the predicate does not hold.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  @_alwaysEmitIntoClient
  @inline(always)
  public func withLock<E: Error>(
    when predicate: (borrowing Value) -> Bool,
    _ body: (inout sending Value) throws(E) -> Void
  ) throws(E) -> Bool {
    let done: Void? = try withWriteLock(ifNow: predicate) { value throws(E) in try body(&value) }
    return done != nil
  }
}
