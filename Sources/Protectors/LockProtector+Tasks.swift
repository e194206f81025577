public import DeadlockDetector
public import LockSupport
public import ReadWriteLocks
public import UnfairLocks

// Functions in which a task waits for a predicate. The header of `WaitQueue` has the algorithm, and the
// header of `TaskWait` says which thread ends a wait.

extension LockProtector where Value: ~Copyable, Lock: ~Copyable {
  /// Runs `body` in a write section as soon as `predicate` holds; suspends the task until then.
  ///
  /// ```swift
  /// let jobs = Protector(["first"])
  /// let next = await jobs.withWriteLock(waitingUntil: { !$0.isEmpty }) { $0.removeFirst() }
  /// ```
  ///
  /// The predicate is evaluated once under the lock. If it holds, `body` runs, even in a cancelled task.
  /// Otherwise the task is suspended, and no thread is blocked. Tasks and threads wait in one queue, in the
  /// order of their arrival. A write section that makes predicates true notifies their tasks, and the pool
  /// runs them when it has a thread. Before such a task runs, a thread or a new task may acquire the lock. A
  /// task that finds its predicate false again keeps its place in the queue.
  ///
  /// - **Blocking**: only while another thread holds the lock, as in a section without a predicate.
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
  ///     that the clock can't represent, wait for ever.
  ///   - body: Reads or changes the value, without a suspension. The timeout does not limit how long it runs.
  /// - Returns: The result of `body`; `nil` when the task was cancelled or the timeout passed first, and
  ///   `body` was not run.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept, and waiting tasks and
  ///   threads are notified of them.
  /// - Complexity: Same as the lock, when the predicate holds. Otherwise three allocations, acquiring the
  ///   lock twice more, and at most one evaluation of the predicate in each write section of other tasks and
  ///   threads.
  @_alwaysEmitIntoClient
  public nonisolated(nonsending) func withWriteLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    timeout: Duration? = nil,
    _ body: (inout sending Value) throws(E) -> sending R
  ) async throws(E) -> sending R? {
    let limit = WaitLimit(timeout, for: primitive)
    if limit.isEndless { self.predicate.taskWillAcquire() }
    if let result = try withWriteLock(ifNow: predicate, body) { return result }
    if limit.isZero || Task.isCancelled { return nil }
    var outcome = Outcome<R, E>()
    await withTaskWait(for: predicate, until: limit.deadline) { wait in
      var isQueued = false
      var waits = true
      while waits {
        waits = false
        var served = ServedWaiters()
        lock.withWriteLock {
          // Sound: the thread is in a write section, which guards the value. No other call uses this task's
          // waiter.
          if unsafe predicate(value) {
            unsafe waiters.arrive(wait.waiter)
            self.predicate.willSatisfy(afterWaiting: true)
            do throws(E) {
              outcome.put(.success(try unsafe body(&value)))
            } catch {
              outcome.put(.failure(error))
            }
            if waiters.isNotEmpty { served = serveWaiters() }
          } else {
            waits = waitOn(wait, isQueued: isQueued)
          }
        }
        if served.isNotEmpty { served.wake() }
        isQueued = true
        if waits { waits = await wait.isServedAfterWaiting() }
      }
    }
    return try outcome.takeIfPresent()
  }

  /// Prepares a task's wait: appends its waiter to the queue, or keeps the place of a waiter that was served.
  ///
  /// If the waiter was served and the task must now give up, the waiter is removed from the queue instead.
  /// The caller must be in the write section in which the task has found its predicate false.
  ///
  /// - Parameters:
  ///   - wait: The calling task's wait.
  ///   - isQueued: Whether the waiter is already in the queue, in which case it must have been served.
  /// - Returns: Whether the task must wait; if not, its waiter is not in the queue.
  @usableFromInline
  func waitOn(_ wait: TaskWait, isQueued: Bool) -> Bool {
    if !isQueued {
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
    for predicate: @Sendable (borrowing Value) -> Bool, until deadline: Deadline,
    isolation: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) (TaskWait) async -> Void
  ) async {
    await withoutActuallyEscaping(predicate) { predicate in
      _ = isolation
      // Sound: `memory` holds the predicate until the waiter is out of the queue, and only queued predicates
      // are evaluated. `WaitQueue` evaluates them under the lock, with the address of this protector's value.
      let memory = UnsafeMutablePointer<WaitPredicate<Value>>.allocate(capacity: 1)
      unsafe memory.initialize(to: WaitPredicate(isSatisfied: predicate))
      let wait = unsafe TaskWait(
        queue: waiters.key, primitive: self.predicate.primitive(.predicate),
        predicate: UnsafeRawPointer(memory), until: deadline
      ) { value, predicate in
        unsafe predicate.assumingMemoryBound(to: WaitPredicate<Value>.self).pointee
          .isSatisfied(value.assumingMemoryBound(to: Value.self).pointee)
      }
      await body(wait)
      wait.end()
      unsafe memory.deinitialize(count: 1)
      unsafe memory.deallocate()
    }
  }
}

extension LockProtector where Value: Sendable & ~Copyable, Lock: ~Copyable {
  /// Runs `body` in a read section as soon as `predicate` holds; suspends the task until then.
  ///
  /// It waits as the asynchronous `withWriteLock(waitingUntil:timeout:_:)` does. A predicate that is true
  /// only for a moment, between two writes, may be missed.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run; see `withWriteLock(waitingUntil:timeout:_:)`.
  ///   - timeout: The maximum time to wait, on the monotonic clock. `.zero` checks once, and `nil` waits for
  ///     ever. A negative timeout traps.
  ///   - body: Reads the value, without a suspension. The timeout does not limit how long it runs.
  /// - Returns: The result of `body`; `nil` when the task was cancelled or the timeout passed first, and
  ///   `body` was not run.
  /// - Throws: The error of `body`.
  @_alwaysEmitIntoClient
  public nonisolated(nonsending) func withReadLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    timeout: Duration? = nil,
    _ body: (borrowing Value) throws(E) -> sending R
  ) async throws(E) -> sending R? {
    let limit = WaitLimit(timeout, for: primitive)
    if limit.isEndless { self.predicate.taskWillAcquire() }
    if let result = try withReadLock(ifNow: predicate, body) { return result }
    if limit.isZero || Task.isCancelled { return nil }
    var outcome = Outcome<R, E>()
    await withTaskWait(for: predicate, until: limit.deadline) { wait in
      var isQueued = false
      var waits = true
      while waits {
        // A task that waits to read must also join the queue in a write section. If the predicate holds in
        // that section, the task does not wait, but acquires the lock for reading.
        var mustWait = false
        lock.withWriteLock {
          if unsafe predicate(value) { return }
          waits = waitOn(wait, isQueued: isQueued)
          mustWait = waits
          isQueued = waits
        }
        if mustWait {
          waits = await wait.isServedAfterWaiting()
          isQueued = waits
        }
        guard waits else { break }
        lock.withReadLock {
          guard unsafe predicate(value) else { return }
          do throws(E) {
            outcome.put(.success(try unsafe body(value)))
          } catch {
            outcome.put(.failure(error))
          }
        }
        waits = !outcome.isPresent
      }
      if isQueued { wait.leave() }
    }
    return try outcome.takeIfPresent()
  }
}

// MARK: - Bodies that return nothing

// The overloads for bodies that return nothing return whether the body ran. The generic functions would
// return `Void?`, and the compiler does not warn when a caller ignores a `Void?` result.

extension LockProtector where Value: ~Copyable, Lock: ~Copyable {
  /// Runs `body` in a write section as soon as `predicate` holds; suspends the task until then.
  ///
  /// This overload is for a body that returns nothing. It blocks and traps as the overload for bodies with a
  /// result does.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run; see the overload for bodies with a result.
  ///   - timeout: The maximum time to wait, on the monotonic clock; `nil` waits for ever. A negative timeout
  ///     traps.
  ///   - body: Reads or changes the value, without a suspension. The timeout does not limit how long it runs.
  /// - Returns: Whether `body` was run; `false` when the task was cancelled or the timeout passed first.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  @_alwaysEmitIntoClient
  public nonisolated(nonsending) func withWriteLock<E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    timeout: Duration? = nil,
    _ body: (inout sending Value) throws(E) -> Void
  ) async throws(E) -> Bool {
    let done: Void? = try await withWriteLock(waitingUntil: predicate, timeout: timeout) { value throws(E) in
      try body(&value)
    }
    return done != nil
  }
}

extension LockProtector where Value: Sendable & ~Copyable, Lock: ~Copyable {
  /// Runs `body` in a read section as soon as `predicate` holds; suspends the task until then.
  ///
  /// This overload is for a body that returns nothing. It blocks and traps as the overload for bodies with a
  /// result does.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run; see the overload for bodies with a result.
  ///   - timeout: The maximum time to wait, on the monotonic clock; `nil` waits for ever. A negative timeout
  ///     traps.
  ///   - body: Reads the value, without a suspension. The timeout does not limit how long it runs.
  /// - Returns: Whether `body` was run; `false` when the task was cancelled or the timeout passed first.
  /// - Throws: The error of `body`.
  @_alwaysEmitIntoClient
  public nonisolated(nonsending) func withReadLock<E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    timeout: Duration? = nil,
    _ body: (borrowing Value) throws(E) -> Void
  ) async throws(E) -> Bool {
    let done: Void? = try await withReadLock(waitingUntil: predicate, timeout: timeout) { value throws(E) in
      try body(value)
    }
    return done != nil
  }
}

// MARK: - Exclusive protectors

extension LockProtector where Value: ~Copyable, Lock == UnfairLock {
  /// Runs `body` with the value as soon as `predicate` holds; suspends the task until then.
  ///
  /// Equivalent to the asynchronous `withWriteLock(waitingUntil:timeout:_:)`.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run; see `withWriteLock(waitingUntil:timeout:_:)`.
  ///   - timeout: The maximum time to wait, on the monotonic clock. `.zero` checks once, and `nil` waits for
  ///     ever. A negative timeout traps.
  ///   - body: Reads or changes the value, without a suspension. The timeout does not limit how long it runs.
  /// - Returns: The result of `body`; `nil` when the task was cancelled or the timeout passed first, and
  ///   `body` was not run.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  @_alwaysEmitIntoClient
  public nonisolated(nonsending) func withLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    timeout: Duration? = nil,
    _ body: (inout sending Value) throws(E) -> sending R
  ) async throws(E) -> sending R? {
    try await withWriteLock(waitingUntil: predicate, timeout: timeout, body)
  }

  /// Runs `body` with the value as soon as `predicate` holds; suspends the task until then.
  ///
  /// This overload is for a body that returns nothing. It blocks and traps as the overload for bodies with a
  /// result does.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run; see `withWriteLock(waitingUntil:timeout:_:)`.
  ///   - timeout: The maximum time to wait, on the monotonic clock; `nil` waits for ever. A negative timeout
  ///     traps.
  ///   - body: Reads or changes the value, without a suspension. The timeout does not limit how long it runs.
  /// - Returns: Whether `body` was run; `false` when the task was cancelled or the timeout passed first.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  @_alwaysEmitIntoClient
  public nonisolated(nonsending) func withLock<E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    timeout: Duration? = nil,
    _ body: (inout sending Value) throws(E) -> Void
  ) async throws(E) -> Bool {
    try await withWriteLock(waitingUntil: predicate, timeout: timeout, body)
  }
}
