public import InterlockCore
public import InterlockWaits
public import ReadWriteLocks

// Functions in which a task waits for a predicate. The header of `WaitQueue` has the algorithm, and the
// header of `TaskWait` says which thread ends a wait.

extension LockProtector where Value: ~Copyable, Lock: RawReadWriteLock & ~Copyable {
  /// Runs `body` in a write section as soon as `predicate` holds; suspends the task until then.
  ///
  /// ```swift
  /// let jobs = Protector(["first"])
  /// let next = try await jobs.withWriteLock(waitingUntil: { !$0.isEmpty }) { $0.removeFirst() }
  /// ```
  ///
  /// The predicate is evaluated once under the lock. If it holds, `body` runs, even in a cancelled task, unless
  /// the call would overtake a task that may not be overtaken (*Fairness*). Otherwise the task is suspended, and
  /// no thread is blocked. The write section that makes its predicate true notifies the task, and the pool runs
  /// it when it has a thread. If many tasks wait for one condition, pass a `WaitCondition`.
  ///
  /// - **Wait**: it ends with a write that makes the predicate true; a task that is cancelled before or while it
  ///   waits throws; `timeout` limits it; see *Fairness*; no priority is lent; its throw leaves the value as it is.
  /// - **Blocking**: only while another thread holds the lock, as in a section without a predicate. The timeout
  ///   limits this too, until the task is notified.
  /// - **Fairness**: tasks that wait to write are notified one at a time, in the order of their arrival; the
  ///   tasks of a `WaitCondition` share the place of the first one, and take turns with the others. Before a
  ///   notified task runs, a thread may acquire the lock, and so may a new asynchronous call, but at most 64
  ///   such calls for each waiting task: the next one waits, even if its predicate holds. A task that finds
  ///   its predicate false again returns to the front, and calls count again when it is notified. No synchronous
  ///   call waits for a task, and none counts.
  /// - **Deadlocks it permits**: a predicate that no write makes true; a notified task that never runs,
  ///   because its executor is blocked until another task has waited here.
  /// - **Cancellation**: ends the wait with a `CancellationError`, unless a write section has already made the predicate
  ///   true. In that case the task evaluates the predicate once more, and runs `body` if it holds. A cancelled task
  ///   takes what is free: it throws only where it would wait, and with the timeout `.zero` a `TimeoutError`.
  /// - **Traps**: a negative timeout; nested sections, as with the lock itself. A predicate must not use the
  ///   protector.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run. It is evaluated under the lock, and after writes also on the
  ///     writing thread. So its captures must be `Sendable`. It must be quick, and must depend only on the
  ///     value.
  ///   - timeout: The maximum time to wait, on the monotonic clock. `.zero` checks once. `nil`, and a timeout
  ///     that the clock can't represent, wait forever.
  ///   - isolation: The caller's isolation.
  ///   - body: Reads or changes the value, without a suspension. The timeout does not limit how long it runs.
  /// - Returns: The result of `body`.
  /// - Throws: `TimeoutError` or `CancellationError` instead of running `body`, if the timeout passes or the task is
  ///   cancelled first. The error of `body`: changes that `body` has already made are kept, and waiting tasks and
  ///   threads are notified of them.
  /// - Complexity: Same as the lock, when the predicate holds. Otherwise some allocations, acquiring the
  ///   lock twice more, and at most one evaluation of the predicate in each write section of other tasks and
  ///   threads. None while a notified task is on its way to the lock.
  @_alwaysEmitIntoClient
  @inline(always)
  public func withWriteLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    timeout: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (inout sending Value) throws(E) -> sending R
  ) async throws -> sending R {
    try await write(waitingUntil: predicate, of: nil, timeout, body)
  }

  /// Runs `body` in a write section as soon as `condition` holds; suspends the task until then.
  ///
  /// The same as the form with a closure, but a write section evaluates a condition once for all tasks that
  /// wait for it. Tasks that wait for one condition to write are served in the order of their arrival.
  ///
  /// - Parameters:
  ///   - condition: A condition of this protector. One of another protector traps.
  ///   - timeout: The maximum time to wait; see the form with a closure.
  ///   - isolation: The caller's isolation.
  ///   - body: Reads or changes the value, without a suspension. The timeout does not limit how long it runs.
  /// - Returns: The result of `body`.
  /// - Throws: `TimeoutError` or `CancellationError` instead of running `body`, if the timeout passes or the task is
  ///   cancelled first. The error of `body`: changes that `body` has already made are kept, and waiting tasks and
  ///   threads are notified of them.
  /// - Complexity: As for a closure, but waiting tasks cost a write section one evaluation together.
  @_alwaysEmitIntoClient
  @inline(always)
  public func withWriteLock<R: ~Copyable, E: Error>(
    waitingUntil condition: WaitCondition<Value>,
    timeout: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (inout sending Value) throws(E) -> sending R
  ) async throws -> sending R {
    try await write(waitingUntil: condition.isSatisfied, of: condition.group, timeout, body)
  }
}

extension LockProtector where Value: Sendable & ~Copyable, Lock: RawReadWriteLock & ~Copyable {
  /// Runs `body` in a read section as soon as `predicate` holds; suspends the task until then.
  ///
  /// It waits as the asynchronous `withWriteLock(waitingUntil:timeout:_:)` does. A predicate that is true
  /// only for a moment, between two writes, may be missed.
  ///
  /// - **Wait**: it ends with a write that makes the predicate true; a task that is cancelled before or while it
  ///   waits throws; `timeout` limits it; readers together; no priority is lent; its throw leaves the value as it
  ///   is.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run; see `withWriteLock(waitingUntil:timeout:_:)`.
  ///   - timeout: The maximum time to wait, on the monotonic clock. `.zero` checks once, and `nil` waits
  ///     forever. A negative timeout traps.
  ///   - isolation: The caller's isolation.
  ///   - body: Reads the value, without a suspension. The timeout does not limit how long it runs.
  /// - Returns: The result of `body`.
  /// - Throws: `TimeoutError` or `CancellationError` instead of running `body`, if the timeout passes or the task is
  ///   cancelled first; the error of `body`.
  @_alwaysEmitIntoClient
  @inline(always)
  public func withReadLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    timeout: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (borrowing Value) throws(E) -> sending R
  ) async throws -> sending R {
    try await read(waitingUntil: predicate, of: nil, timeout, body)
  }

  /// Runs `body` in a read section as soon as `condition` holds; suspends the task until then.
  ///
  /// The same as the form with a closure, but a write section evaluates a condition once for all tasks that
  /// wait for it.
  ///
  /// - Parameters:
  ///   - condition: A condition of this protector. One of another protector traps.
  ///   - timeout: The maximum time to wait; see the form with a closure.
  ///   - isolation: The caller's isolation.
  ///   - body: Reads the value, without a suspension. The timeout does not limit how long it runs.
  /// - Returns: The result of `body`.
  /// - Throws: `TimeoutError` or `CancellationError` instead of running `body`, if the timeout passes or the task is
  ///   cancelled first; the error of `body`.
  @_alwaysEmitIntoClient
  @inline(always)
  public func withReadLock<R: ~Copyable, E: Error>(
    waitingUntil condition: WaitCondition<Value>,
    timeout: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (borrowing Value) throws(E) -> sending R
  ) async throws -> sending R {
    try await read(waitingUntil: condition.isSatisfied, of: condition.group, timeout, body)
  }

  @_alwaysEmitIntoClient
  @inline(always)
  func read<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool, of group: WaitGroup?, _ timeout: Duration?,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (borrowing Value) throws(E) -> sending R
  ) async throws -> sending R {
    if let group { check(group) }
    let limit = WaitLimit(timeout, for: primitive)
    if limit.isEndless { self.predicate.taskWillAcquire() }
    if let token = ownLock.beginReading(until: limit.deadline, for: Lock.kindInProtector) {
      if unsafe predicate(data) {
        return try finishReading(token, body)
      }
      ownLock.endReading(token, for: Lock.kindInProtector)
    }
    try checkThatTaskMayWait(limit)
    // As in `write(waitingUntil:of:_:_:)`.
    defer { keepExecutor() }
    return try await readAfterWaiting(until: predicate, of: group, limit, body)
  }

  /// The slow path of `read(waitingUntil:of:_:_:)`, apart so that its callers inline the fast one, without a call of an
  /// asynchronous function.
  @_alwaysEmitIntoClient
  @inline(never)
  func readAfterWaiting<R: ~Copyable, E: Error>(
    until predicate: @Sendable (borrowing Value) -> Bool, of group: WaitGroup?, _ limit: WaitLimit,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (borrowing Value) throws(E) -> sending R
  ) async throws -> sending R {
    var outcome = Outcome<R, any Error>()
    await withTaskWait(for: predicate, of: group, .reader, until: limit.deadline) { wait in
      _ = isolation
      var isServed = false
      while !outcome.isPresent {
        // A task that waits to read must also join the queue in a write section. If the predicate holds in
        // that section, the task does not wait, but acquires the lock for reading.
        guard ownLock.beginAccess(until: limit.deadline, for: Lock.kindInProtector) else { break }
        let holds = unsafe predicate(data)
        let mustWait = !holds && queueOrGiveUp(wait, isServed: isServed)
        ownLock.endAccess(for: Lock.kindInProtector)
        if mustWait { isServed = await wait.isServedAfterWaiting() }
        guard holds || (mustWait && isServed),
          let token = ownLock.beginReading(until: limit.deadline, for: Lock.kindInProtector)
        else { break }
        ownLock.finishReading(token, for: Lock.kindInProtector) {
          guard unsafe predicate(data) else { return }
          do {
            outcome.put(.success(try unsafe body(data)))
          } catch {
            outcome.put(.failure(error))
          }
        }
      }
      if !outcome.isPresent { outcome.put(.failure(reasonToGiveUp(wait))) }
    }
    return try outcome.take()
  }
}
