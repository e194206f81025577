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
  /// let next = await jobs.withWriteLock(waitingUntil: { !$0.isEmpty }) { $0.removeFirst() }
  /// ```
  ///
  /// The predicate is evaluated once under the lock. If it holds, `body` runs, even in a cancelled task, unless
  /// the call would overtake a task that may not be overtaken (*Fairness*). Otherwise the task is suspended, and
  /// no thread is blocked. The write section that makes its predicate true notifies the task, and the pool runs
  /// it when it has a thread. If many tasks wait for one condition, pass a `WaitCondition`.
  ///
  /// - **Blocking**: only while another thread holds the lock, as in a section without a predicate. The timeout
  ///   limits this too, until the task is notified.
  /// - **Fairness**: tasks that wait to write are notified one at a time, in the order of their arrival; the
  ///   tasks of a `WaitCondition` share the place of the first one, and take turns with the others. Before a
  ///   notified task runs, a thread may acquire the lock, and so may a new asynchronous call, but at most 64
  ///   such calls for each waiting task: the next one waits, even if its predicate holds. A task that finds
  ///   its predicate false again returns to the front. No synchronous call waits for a task.
  /// - **Deadlocks it permits**: a predicate that no write makes true; a notified task that never runs,
  ///   because its executor is blocked until another task has waited here.
  /// - **Cancellation**: ends the wait, unless a write section has already made the predicate true. In that
  ///   case the task evaluates the predicate once more, and runs `body` if it holds.
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
  /// - Returns: The result of `body`; `nil` when the task was cancelled or the timeout passed first, and
  ///   `body` was not run.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept, and waiting tasks and
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
  ) async throws(E) -> sending R? {
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
  /// - Returns: The result of `body`; `nil` when the task was cancelled or the timeout passed first, and
  ///   `body` was not run.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept, and waiting tasks and
  ///   threads are notified of them.
  /// - Complexity: As for a closure, but waiting tasks cost a write section one evaluation together.
  @_alwaysEmitIntoClient
  @inline(always)
  public func withWriteLock<R: ~Copyable, E: Error>(
    waitingUntil condition: WaitCondition<Value>,
    timeout: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (inout sending Value) throws(E) -> sending R
  ) async throws(E) -> sending R? {
    try await write(waitingUntil: condition.isSatisfied, of: condition.group, timeout, body)
  }
}

extension GuardedValue where Value: ~Copyable, Lock: RawLock & ~Copyable {
  @_alwaysEmitIntoClient
  @inline(always)
  func write<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool, of group: WaitGroup?, _ timeout: Duration?,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (inout sending Value) throws(E) -> sending R
  ) async throws(E) -> sending R? {
    if let group { check(group) }
    let limit = WaitLimit(timeout, for: primitive)
    if limit.isEndless { self.predicate.taskWillAcquire() }
    let first = try write(
      until: limit.deadline,
      if: { (value: borrowing Value) in predicate(value) && waiters.mayOvertake() }, body)
    if let first { return first }
    if limit.isZero || Task.isCancelled { return nil }
    return try await writeAfterWaiting(until: predicate, of: group, limit, body)
  }

  /// The slow path of `write(waitingUntil:of:_:_:)`, apart so that its callers inline the fast one, without a call of an
  /// asynchronous function.
  @_alwaysEmitIntoClient
  @inline(never)
  func writeAfterWaiting<R: ~Copyable, E: Error>(
    until predicate: @Sendable (borrowing Value) -> Bool, of group: WaitGroup?, _ limit: WaitLimit,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (inout sending Value) throws(E) -> sending R
  ) async throws(E) -> sending R? {
    var outcome = Outcome<R, E>()
    await withTaskWait(for: predicate, of: group, .task, until: limit.deadline) { wait in
      _ = isolation
      var isServed = false
      while attempt(wait, isServed: isServed, predicate, &outcome, body) {
        guard await wait.isServedAfterWaiting() else { break }
        isServed = true
      }
    }
    return try outcome.takeIfPresent()
  }

  /// Runs `body` in a write section if `predicate` holds; otherwise prepares the task's wait.
  ///
  /// - Parameters:
  ///   - wait: The calling task's wait, whose waiter is not in the queue.
  ///   - isServed: Whether the task was served. Other tasks wait for it to arrive, so it acquires the lock even
  ///     after its deadline.
  ///   - outcome: Where the result of `body` is put.
  /// - Returns: Whether the task must wait; if not, its waiter is not in the queue.
  @_alwaysEmitIntoClient
  func attempt<R: ~Copyable, E: Error>(
    _ wait: TaskWait, isServed: Bool, _ predicate: (borrowing Value) -> Bool, _ outcome: inout Outcome<R, E>,
    _ body: (inout sending Value) throws(E) -> sending R
  ) -> Bool {
    var mustWait = false
    let deadline = isServed ? .never : wait.deadline
    guard ownLock.beginAccess(until: deadline, for: Lock.kindInProtector) else { return false }
    // Sound: the thread is in a write section, which guards the value. No other call uses this task's waiter.
    if unsafe predicate(data) && (isServed || waiters.mayOvertake()) {
      unsafe waiters.arrive(wait.waiter)
      self.predicate.willSatisfy(afterWaiting: true)
      do throws(E) {
        outcome.put(.success(try unsafe body(&data)))
      } catch {
        outcome.put(.failure(error))
      }
    } else {
      mustWait = waitOn(wait, isServed: isServed)
      if !isServed {
        ownLock.endAccess(for: Lock.kindInProtector)
        return mustWait
      }
    }
    endWriting()
    return mustWait
  }

  /// Puts the waiter of a task into the queue, unless the task was served and must now give up.
  ///
  /// The caller must be in the write section in which the task has found that it must wait.
  ///
  /// - Returns: Whether the task must wait; if not, its waiter is not in the queue.
  @usableFromInline
  func waitOn(_ wait: TaskWait, isServed: Bool) -> Bool {
    if !isServed {
      unsafe waiters.append(wait.waiter)
    } else if wait.isOver {
      unsafe waiters.arrive(wait.waiter)
      return false
    } else {
      unsafe waiters.waitOn(wait.waiter)
    }
    return true
  }

  /// Calls `body` with a new `TaskWait` for `predicate`.
  ///
  /// When `body` returns, the waiter must not be in the queue, because this function then frees the
  /// predicate.
  @_alwaysEmitIntoClient
  func withTaskWait(
    for predicate: @Sendable (borrowing Value) -> Bool, of group: WaitGroup?, _ kind: Waiter.Kind,
    until deadline: Deadline, isolation: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) (TaskWait) async -> Void
  ) async {
    await withoutActuallyEscaping(predicate) { predicate in
      _ = isolation
      // Sound: `memory` holds the predicate until the waiter is out of the queue, and only queued predicates
      // are evaluated. `WaitQueue` evaluates them under the lock, with the address of this protector's value.
      let memory = UnsafeMutablePointer<WaitPredicate<Value>>.allocate(capacity: 1)
      unsafe memory.initialize(to: WaitPredicate(isSatisfied: predicate))
      let wait = unsafe TaskWait(
        queue: waiters.key, kind, group: group, primitive: self.predicate.primitive(.predicate),
        until: deadline, predicate: UnsafeRawPointer(memory), evaluation: WaitPredicate<Value>.evaluation)
      keepExecutor()
      await body(wait)
      unsafe memory.deinitialize(count: 1)
      unsafe memory.deallocate()
    }
  }
}

extension LockProtector where Value: Sendable & ~Copyable, Lock: RawReadWriteLock & ~Copyable {
  /// Runs `body` in a read section as soon as `predicate` holds; suspends the task until then.
  ///
  /// It waits as the asynchronous `withWriteLock(waitingUntil:timeout:_:)` does. A predicate that is true
  /// only for a moment, between two writes, may be missed.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run; see `withWriteLock(waitingUntil:timeout:_:)`.
  ///   - timeout: The maximum time to wait, on the monotonic clock. `.zero` checks once, and `nil` waits
  ///     forever. A negative timeout traps.
  ///   - isolation: The caller's isolation.
  ///   - body: Reads the value, without a suspension. The timeout does not limit how long it runs.
  /// - Returns: The result of `body`; `nil` when the task was cancelled or the timeout passed first, and
  ///   `body` was not run.
  /// - Throws: The error of `body`.
  @_alwaysEmitIntoClient
  @inline(always)
  public func withReadLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    timeout: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (borrowing Value) throws(E) -> sending R
  ) async throws(E) -> sending R? {
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
  /// - Returns: The result of `body`; `nil` when the task was cancelled or the timeout passed first, and
  ///   `body` was not run.
  /// - Throws: The error of `body`.
  @_alwaysEmitIntoClient
  @inline(always)
  public func withReadLock<R: ~Copyable, E: Error>(
    waitingUntil condition: WaitCondition<Value>,
    timeout: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (borrowing Value) throws(E) -> sending R
  ) async throws(E) -> sending R? {
    try await read(waitingUntil: condition.isSatisfied, of: condition.group, timeout, body)
  }

  @_alwaysEmitIntoClient
  @inline(always)
  func read<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool, of group: WaitGroup?, _ timeout: Duration?,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (borrowing Value) throws(E) -> sending R
  ) async throws(E) -> sending R? {
    if let group { check(group) }
    let limit = WaitLimit(timeout, for: primitive)
    if limit.isEndless { self.predicate.taskWillAcquire() }
    if let token = ownLock.beginReading(until: limit.deadline, for: Lock.kindInProtector) {
      if unsafe predicate(data) {
        return try ownLock.finishReading(token, for: Lock.kindInProtector) { () throws(E) in
          try unsafe body(data)
        }
      }
      ownLock.endReading(token, for: Lock.kindInProtector)
    }
    if limit.isZero || Task.isCancelled { return nil }
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
  ) async throws(E) -> sending R? {
    var outcome = Outcome<R, E>()
    await withTaskWait(for: predicate, of: group, .reader, until: limit.deadline) { wait in
      _ = isolation
      var isServed = false
      while !outcome.isPresent {
        // A task that waits to read must also join the queue in a write section. If the predicate holds in
        // that section, the task does not wait, but acquires the lock for reading.
        guard ownLock.beginAccess(until: limit.deadline, for: Lock.kindInProtector) else { break }
        let holds = unsafe predicate(data)
        let mustWait = !holds && waitOn(wait, isServed: isServed)
        ownLock.endAccess(for: Lock.kindInProtector)
        if mustWait { isServed = await wait.isServedAfterWaiting() }
        guard holds || (mustWait && isServed),
          let token = ownLock.beginReading(until: limit.deadline, for: Lock.kindInProtector)
        else { break }
        ownLock.finishReading(token, for: Lock.kindInProtector) {
          guard unsafe predicate(data) else { return }
          do throws(E) {
            outcome.put(.success(try unsafe body(data)))
          } catch {
            outcome.put(.failure(error))
          }
        }
      }
    }
    return try outcome.takeIfPresent()
  }
}

// MARK: - Bodies that return nothing

// The overloads for bodies that return nothing return whether the body ran. The generic functions would
// return `Void?`, and the compiler does not warn when a caller ignores a `Void?` result.

extension LockProtector where Value: ~Copyable, Lock: RawReadWriteLock & ~Copyable {
  /// Runs `body` in a write section as soon as `predicate` holds; suspends the task until then.
  ///
  /// This overload is for a body that returns nothing. It blocks and traps as the overload for bodies with a
  /// result does.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run; see the overload for bodies with a result.
  ///   - timeout: The maximum time to wait, on the monotonic clock; `nil` waits forever. A negative timeout
  ///     traps.
  ///   - isolation: The caller's isolation.
  ///   - body: Reads or changes the value, without a suspension. The timeout does not limit how long it runs.
  /// - Returns: Whether `body` was run; `false` when the task was cancelled or the timeout passed first.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  @_alwaysEmitIntoClient
  @inline(always)
  public func withWriteLock<E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    timeout: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (inout sending Value) throws(E) -> Void
  ) async throws(E) -> Bool {
    let done: Void? = try await withWriteLock(waitingUntil: predicate, timeout: timeout) { value throws(E) in
      try body(&value)
    }
    return done != nil
  }

  /// Runs `body` in a write section as soon as `condition` holds; suspends the task until then.
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
  public func withWriteLock<E: Error>(
    waitingUntil condition: WaitCondition<Value>,
    timeout: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (inout sending Value) throws(E) -> Void
  ) async throws(E) -> Bool {
    let done: Void? = try await withWriteLock(waitingUntil: condition, timeout: timeout) { value throws(E) in
      try body(&value)
    }
    return done != nil
  }
}

extension LockProtector where Value: Sendable & ~Copyable, Lock: RawReadWriteLock & ~Copyable {
  /// Runs `body` in a read section as soon as `predicate` holds; suspends the task until then.
  ///
  /// This overload is for a body that returns nothing. It blocks and traps as the overload for bodies with a
  /// result does.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run; see the overload for bodies with a result.
  ///   - timeout: The maximum time to wait, on the monotonic clock; `nil` waits forever. A negative timeout
  ///     traps.
  ///   - isolation: The caller's isolation.
  ///   - body: Reads the value, without a suspension. The timeout does not limit how long it runs.
  /// - Returns: Whether `body` was run; `false` when the task was cancelled or the timeout passed first.
  /// - Throws: The error of `body`.
  @_alwaysEmitIntoClient
  @inline(always)
  public func withReadLock<E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    timeout: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (borrowing Value) throws(E) -> Void
  ) async throws(E) -> Bool {
    let done: Void? = try await withReadLock(waitingUntil: predicate, timeout: timeout) { value throws(E) in
      try body(value)
    }
    return done != nil
  }

  /// Runs `body` in a read section as soon as `condition` holds; suspends the task until then.
  ///
  /// This overload is for a body that returns nothing.
  ///
  /// - Parameters:
  ///   - condition: A condition of this protector. One of another protector traps.
  ///   - timeout: The maximum time to wait; see the form with a closure.
  ///   - isolation: The caller's isolation.
  ///   - body: Reads the value, without a suspension. The timeout does not limit how long it runs.
  /// - Returns: Whether `body` was run; `false` when the task was cancelled or the timeout passed first.
  /// - Throws: The error of `body`.
  @_alwaysEmitIntoClient
  @inline(always)
  public func withReadLock<E: Error>(
    waitingUntil condition: WaitCondition<Value>,
    timeout: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (borrowing Value) throws(E) -> Void
  ) async throws(E) -> Bool {
    let done: Void? = try await withReadLock(waitingUntil: condition, timeout: timeout) { value throws(E) in
      try body(value)
    }
    return done != nil
  }
}
