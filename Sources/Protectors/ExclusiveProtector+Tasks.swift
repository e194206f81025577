// Functions in which a task waits for a predicate; `LockProtector+Tasks.swift` has what they share with those
// of `LockProtector`.

extension ExclusiveProtector where Value: ~Copyable {
  /// Runs `body` with the value as soon as `predicate` holds; suspends the task until then.
  ///
  /// The predicate is evaluated once under the lock. If it holds, `body` runs, even in a cancelled task, unless
  /// the call would overtake a task that may not be overtaken. Otherwise the task is suspended, and no thread is
  /// blocked. It blocks, orders tasks, gives up and traps as the asynchronous
  /// `withWriteLock(waitingUntil:timeout:_:)` of `LockProtector` does. If many tasks wait for one condition,
  /// pass a `WaitCondition`.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run. It is evaluated under the lock, and after sections also on the
  ///     threads that ran them. So its captures must be `Sendable`. It must be quick, and must depend only on
  ///     the value.
  ///   - timeout: The maximum time to wait, on the monotonic clock. `.zero` checks once, and `nil` waits
  ///     forever. A negative timeout traps.
  ///   - isolation: The caller's isolation.
  ///   - body: Reads or changes the value, without a suspension. The timeout does not limit how long it runs.
  /// - Returns: The result of `body`; `nil` when the task was cancelled or the timeout passed first, and
  ///   `body` was not run.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  @_alwaysEmitIntoClient
  @inline(always)
  public func withLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    timeout: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (inout sending Value) throws(E) -> sending R
  ) async throws(E) -> sending R? {
    try await write(waitingUntil: predicate, of: nil, timeout, body)
  }

  /// Runs `body` with the value as soon as `predicate` holds; suspends the task until then.
  ///
  /// This overload is for a body that returns nothing. It blocks and traps as the overload for bodies with a
  /// result does.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run; see the form with a closure.
  ///   - timeout: The maximum time to wait, on the monotonic clock; `nil` waits forever. A negative timeout
  ///     traps.
  ///   - isolation: The caller's isolation.
  ///   - body: Reads or changes the value, without a suspension. The timeout does not limit how long it runs.
  /// - Returns: Whether `body` was run; `false` when the task was cancelled or the timeout passed first.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  @_alwaysEmitIntoClient
  @inline(always)
  public func withLock<E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    timeout: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (inout sending Value) throws(E) -> Void
  ) async throws(E) -> Bool {
    let done: Void? = try await withLock(waitingUntil: predicate, timeout: timeout) { value throws(E) in
      try body(&value)
    }
    return done != nil
  }

  /// Runs `body` with the value as soon as `condition` holds; suspends the task until then.
  ///
  /// The same as the form with a closure, but a section evaluates a condition once for all tasks that wait for
  /// it. Tasks that wait for one condition are served in the order of their arrival.
  ///
  /// - Parameters:
  ///   - condition: A condition of this protector. One of another protector traps.
  ///   - timeout: The maximum time to wait; see the form with a closure.
  ///   - isolation: The caller's isolation.
  ///   - body: Reads or changes the value, without a suspension. The timeout does not limit how long it runs.
  /// - Returns: The result of `body`; `nil` when the task was cancelled or the timeout passed first, and
  ///   `body` was not run.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  @_alwaysEmitIntoClient
  @inline(always)
  public func withLock<R: ~Copyable, E: Error>(
    waitingUntil condition: WaitCondition<Value>,
    timeout: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (inout sending Value) throws(E) -> sending R
  ) async throws(E) -> sending R? {
    try await write(waitingUntil: condition.isSatisfied, of: condition.group, timeout, body)
  }

  /// Runs `body` with the value as soon as `condition` holds; suspends the task until then.
  ///
  /// This overload is for a body that returns nothing.
  ///
  /// - Parameters:
  ///   - condition: A condition of this protector. One of another protector traps.
  ///   - timeout: The maximum time to wait; see the form with a closure.
  ///   - isolation: The caller's isolation.
  ///   - body: Reads or changes the value, without a suspension. The timeout does not limit how long it runs.
  /// - Returns: Whether `body` was run; `false` when the task was cancelled or the timeout passed first.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  @_alwaysEmitIntoClient
  @inline(always)
  public func withLock<E: Error>(
    waitingUntil condition: WaitCondition<Value>,
    timeout: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (inout sending Value) throws(E) -> Void
  ) async throws(E) -> Bool {
    let done: Void? = try await withLock(waitingUntil: condition, timeout: timeout) { value throws(E) in
      try body(&value)
    }
    return done != nil
  }
}
