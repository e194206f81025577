public import ReadWriteLocks

// The overloads for bodies that return nothing return whether the body ran. The generic functions would
// return `Void?`, and the compiler does not warn when a caller ignores a `Void?` result.

extension LockProtector where Value: ~Copyable, Lock: RawReadWriteLock & ~Copyable {
  /// Runs `body` in a write section, if the lock can be acquired within `timeout`.
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
  public func withWriteLock<E: Error>(
    timeout: Duration, _ body: (inout sending Value) throws(E) -> Void
  ) throws(E) -> Bool {
    let done: Void? = try withWriteLock(timeout: timeout) { value throws(E) in try body(&value) }
    return done != nil
  }

  /// Runs `body` in a write section, if the lock can be acquired without waiting.
  ///
  /// This overload is for a body that returns nothing.
  ///
  /// - Parameter body: Reads or changes the value.
  /// - Returns: Whether `body` was run; `false` when the lock is not available now.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  @_alwaysEmitIntoClient
  public func withWriteLockIfAvailable<E: Error>(
    _ body: (inout sending Value) throws(E) -> Void
  ) throws(E) -> Bool {
    let done: Void? = try withWriteLockIfAvailable { value throws(E) in try body(&value) }
    return done != nil
  }

  /// Runs `body` in a write section as soon as `predicate` holds, if that happens within `timeout`.
  ///
  /// This overload is for a body that returns nothing. It blocks and traps as the overload for bodies with a
  /// result does.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run; see the overload for bodies with a result.
  ///   - timeout: The maximum time to wait, on the monotonic clock. `nil` waits forever. A negative timeout
  ///     traps.
  ///   - body: Reads or changes the value. The timeout does not limit how long it runs.
  /// - Returns: Whether `body` was run; `false` if the timeout passed first.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept, and waiting threads are
  ///   notified of them.
  @available(
    *, noasync,
    message:
      "it blocks the thread; await the form whose result is optional, or call it on a thread of your own; at the top level of main.swift, put that into a function that is not async"
  )
  @_alwaysEmitIntoClient
  @inline(always)
  public func withWriteLock<E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    timeout: Duration? = nil,
    _ body: (inout sending Value) throws(E) -> Void
  ) throws(E) -> Bool {
    let done: Void? = try withWriteLock(waitingUntil: predicate, timeout: timeout) { value throws(E) in
      try body(&value)
    }
    return done != nil
  }
}

extension LockProtector where Value: Sendable & ~Copyable, Lock: RawReadWriteLock & ~Copyable {
  /// Runs `body` in a read section, if the lock can be acquired within `timeout`.
  ///
  /// This overload is for a body that returns nothing. It blocks and traps as the overload for bodies with a
  /// result does.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait for the lock, on the monotonic clock. A negative timeout traps.
  ///   - body: Reads the value. The timeout does not limit how long it runs.
  /// - Returns: Whether `body` was run; `false` if the timeout passed first.
  /// - Throws: The error of `body`.
  @_alwaysEmitIntoClient
  public func withReadLock<E: Error>(
    timeout: Duration, _ body: (borrowing Value) throws(E) -> Void
  ) throws(E) -> Bool {
    let done: Void? = try withReadLock(timeout: timeout) { value throws(E) in try body(value) }
    return done != nil
  }

  /// Runs `body` in a read section, if the lock can be acquired without waiting.
  ///
  /// This overload is for a body that returns nothing.
  ///
  /// - Parameter body: Reads the value.
  /// - Returns: Whether `body` was run; `false` when the lock is not available now.
  /// - Throws: The error of `body`.
  @_alwaysEmitIntoClient
  public func withReadLockIfAvailable<E: Error>(
    _ body: (borrowing Value) throws(E) -> Void
  ) throws(E) -> Bool {
    let done: Void? = try withReadLockIfAvailable { value throws(E) in try body(value) }
    return done != nil
  }

  /// Runs `body` in a read section as soon as `predicate` holds, if that happens within `timeout`.
  ///
  /// This overload is for a body that returns nothing. It blocks and traps as the overload for bodies with a
  /// result does.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run; see the overload for bodies with a result.
  ///   - timeout: The maximum time to wait, on the monotonic clock. `nil` waits forever. A negative timeout
  ///     traps.
  ///   - body: Reads the value. The timeout does not limit how long it runs.
  /// - Returns: Whether `body` was run; `false` if the timeout passed first.
  /// - Throws: The error of `body`.
  @available(
    *, noasync,
    message:
      "it blocks the thread; await the form whose result is optional, or call it on a thread of your own; at the top level of main.swift, put that into a function that is not async"
  )
  @_alwaysEmitIntoClient
  @inline(always)
  public func withReadLock<E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    timeout: Duration? = nil,
    _ body: (borrowing Value) throws(E) -> Void
  ) throws(E) -> Bool {
    let done: Void? = try withReadLock(waitingUntil: predicate, timeout: timeout) { value throws(E) in
      try body(value)
    }
    return done != nil
  }
}
