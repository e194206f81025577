// Functions in which a thread waits for a predicate; `LockProtector+Waiting.swift` has what they share with
// those of `LockProtector`.

extension ExclusiveProtector where Value: ~Copyable {
  /// Runs `body` with the value as soon as `predicate` holds; sleeps until then.
  ///
  /// No thread needs to signal: the end of each section of this protector finds the waiting threads whose
  /// predicates have become true. It blocks, orders threads and traps as `withWriteLock(waitingUntil:_:)` of
  /// `LockProtector` does. On Apple systems the lock can't be reserved for a thread, so that calls which don't wait
  /// overtake it however often.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run. It is evaluated under the lock on this thread, and after sections
  ///     also on the threads that ran them. So its captures must be `Sendable`. It must be quick, and must
  ///     depend only on the value.
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
    try write(waitingUntil: predicate, body)
  }

  /// Runs `body` with the value and with `sent` as soon as `predicate` holds; sleeps until then.
  ///
  /// It waits as `withLock(waitingUntil:_:)` does. There is no form with a timeout, because `sent` would be lost
  /// if the timeout passed.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run; see `withLock(waitingUntil:_:)`.
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
    try write(waitingUntil: predicate, sending: sent, body)
  }

  /// Runs `body` with the value as soon as `predicate` holds, if that happens within `timeout`.
  ///
  /// It waits as `withLock(waitingUntil:_:)` does.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run; see `withLock(waitingUntil:_:)`.
  ///   - timeout: The maximum time to wait, for the lock and for the predicate, on the monotonic clock.
  ///     `.zero` checks once, and `nil` waits forever. A negative timeout traps.
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
    timeout: Duration? = nil,
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    try write(waitingUntil: predicate, timeout: timeout, body)
  }

  /// Runs `body` with the value as soon as `predicate` holds, if that happens within `timeout`.
  ///
  /// This overload is for a body that returns nothing. It blocks and traps as the overload for bodies with a
  /// result does.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run; see `withLock(waitingUntil:_:)`.
  ///   - timeout: The maximum time to wait, on the monotonic clock. `nil` waits forever. A negative timeout
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
    timeout: Duration? = nil,
    _ body: (inout sending Value) throws(E) -> Void
  ) throws(E) -> Bool {
    let done: Void? = try withLock(waitingUntil: predicate, timeout: timeout) { value throws(E) in
      try body(&value)
    }
    return done != nil
  }
}
