public import InterlockCore
public import InterlockWaits
public import ReadWriteLocks

// How a task waits for a predicate in a write section. The header of `WaitQueue` has the algorithm, and the header of
// `TaskWait` says which thread ends a wait.

extension GuardedValue where Value: ~Copyable, Lock: RawLock & ~Copyable {
  @_alwaysEmitIntoClient
  @inline(always)
  func write<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool, of group: WaitGroup?, _ timeout: Duration?,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (inout sending Value) throws(E) -> sending R
  ) async throws -> sending R {
    if let group { check(group) }
    let limit = WaitLimit(timeout, for: primitive)
    if limit.isEndless { self.predicate.taskWillAcquire() }
    if beginWriting(until: limit.deadline, if: { value in predicate(value) && waiters.overtakeIfPermitted() })
    {
      return try finishWriting(body)
    }
    try checkThatTaskMayWait(limit)
    // The slow path itself changes back to the executor. Otherwise the caller's change, behind the fast path too, does.
    defer { keepExecutor() }
    return try await writeAfterWaiting(until: predicate, of: group, limit, body)
  }

  /// Begins a write section until `deadline`, if `predicate` holds in that section.
  @_alwaysEmitIntoClient
  @_transparent
  func beginWriting(until deadline: Deadline, if predicate: (borrowing Value) -> Bool) -> Bool {
    guard ownLock.beginAccess(until: deadline, for: Lock.kindInProtector) else { return false }
    guard unsafe predicate(data) else {
      ownLock.endAccess(for: Lock.kindInProtector)
      return false
    }
    self.predicate.willSatisfy(afterWaiting: true)
    return true
  }

  /// Throws if the calling task, which has not found what it needs, must not wait for it.
  @usableFromInline
  @inline(never)
  func checkThatTaskMayWait(_ limit: WaitLimit) throws {
    if limit.isZero { throw timeoutPassed() }
    try Task.checkCancellation()
  }

  /// The error of a task that has given up.
  @usableFromInline
  @inline(never)
  func reasonToGiveUp(_ wait: TaskWait) -> any Error {
    wait.wasCancelled ? CancellationError() : timeoutPassed()
  }

  /// The slow path of `write(waitingUntil:of:_:_:)`, apart so that its callers inline the fast one, without a call of an
  /// asynchronous function.
  @_alwaysEmitIntoClient
  @inline(never)
  func writeAfterWaiting<R: ~Copyable, E: Error>(
    until predicate: @Sendable (borrowing Value) -> Bool, of group: WaitGroup?, _ limit: WaitLimit,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (inout sending Value) throws(E) -> sending R
  ) async throws -> sending R {
    var outcome = Outcome<R, any Error>()
    await withTaskWait(for: predicate, of: group, .task, until: limit.deadline) { wait in
      _ = isolation
      var isServed = false
      while attempt(wait, isServed: isServed, predicate, &outcome, body) {
        guard await wait.isServedAfterWaiting() else { break }
        isServed = true
      }
      if !outcome.isPresent { outcome.put(.failure(reasonToGiveUp(wait))) }
    }
    return try outcome.take()
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
    _ wait: TaskWait, isServed: Bool, _ predicate: (borrowing Value) -> Bool,
    _ outcome: inout Outcome<R, any Error>,
    _ body: (inout sending Value) throws(E) -> sending R
  ) -> Bool {
    var mustWait = false
    let deadline = isServed ? .never : wait.deadline
    guard ownLock.beginAccess(until: deadline, for: Lock.kindInProtector) else { return false }
    // Sound: the thread is in a write section, which guards the value. No other call uses this task's waiter.
    if unsafe predicate(data) && (isServed || waiters.overtakeIfPermitted()) {
      unsafe waiters.endWait(wait.waiter)
      self.predicate.willSatisfy(afterWaiting: true)
      do {
        outcome.put(.success(try unsafe body(&data)))
      } catch {
        outcome.put(.failure(error))
      }
    } else {
      mustWait = queueOrGiveUp(wait, isServed: isServed)
      if !isServed {
        ownLock.endAccess(for: Lock.kindInProtector)
        return mustWait
      }
    }
    endWriting()
    return mustWait
  }

  /// Puts the waiter of a task into the queue, behind the others or, served in vain, before them, unless a served task must
  /// give up.
  ///
  /// The caller must be in the write section in which the task has found that it must wait.
  ///
  /// - Returns: Whether the task must wait; if not, its waiter is not in the queue.
  @usableFromInline
  func queueOrGiveUp(_ wait: TaskWait, isServed: Bool) -> Bool {
    if !isServed {
      unsafe waiters.append(wait.waiter)
    } else if wait.mustGiveUp() {
      unsafe waiters.endWait(wait.waiter)
      return false
    } else {
      unsafe waiters.queueAgain(wait.waiter)
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
