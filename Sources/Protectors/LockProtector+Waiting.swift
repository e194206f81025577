public import InterlockCore
public import ReadWriteLocks

// Functions in which a thread waits for a predicate. The header of `WaitQueue` has the algorithm, and the argument
// that no wake-up is lost.

extension LockProtector where Value: ~Copyable, Lock: RawReadWriteLock & ~Copyable {
  /// Runs `body` in a write section as soon as `predicate` holds; sleeps until then.
  ///
  /// No thread needs to signal: the end of each write section of this protector finds the waiting threads
  /// whose predicates have become true. For example, a pool of connections:
  ///
  /// ```swift
  /// func borrow() -> Connection {
  ///   idle.withWriteLock(waitingUntil: { !$0.isEmpty }) { $0.removeLast() }
  /// }
  /// func giveBack(_ connection: Connection) {
  ///   idle.withWriteLock { $0.append(connection) }
  /// }
  /// ```
  ///
  /// - **Wait**: it ends with a write that makes the predicate true; cancellation has no effect; no timeout; see
  ///   *Fairness*; no priority is lent; a throw of `body` leaves what it has changed.
  /// - **Blocking**: until the predicate holds, and while another thread holds the lock. A thread spins for
  ///   some microseconds if spinning has recently paid off, and then sleeps in the kernel. From time to time
  ///   a thread spins for about a tenth of a millisecond, to find out whether spinning would pay off. In
  ///   asynchronous code the call would block a thread of the pool that all tasks share. With `await`, the
  ///   compiler selects the asynchronous form, which suspends the task.
  /// - **Fairness**: when the predicates of several waiting threads hold, spinning threads come first. The
  ///   others follow, in the order of their arrival. A waiting thread whose predicate held is overtaken at most 64
  ///   times, by whatever call makes it false again or is served first; then the lock is reserved for it until it
  ///   runs. (While a thread that spins acquires the lock, several overtakings count as one.) Behind it, the next
  ///   thread is overtaken at most 64 times more. So no thread starves. `PosixReadWriteLock` and locks of your own
  ///   can't be reserved: with them, calls that don't wait overtake others however often.
  /// - **Deadlocks it permits**: a predicate that no write makes true; waiting inside a section of another
  ///   protector that is needed to make the predicate true.
  /// - **Traps**: nested sections trap as they do with the lock itself. A predicate must not use the
  ///   protector, because that would be a nested section.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run. It is evaluated under the lock on this thread, and after writes
  ///     also on the writing thread. So its captures must be `Sendable`. It must be quick, because it runs
  ///     under the lock. It must depend only on the value, because it is evaluated again only after writes.
  ///   - body: Reads or changes the value.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept, and waiting threads are
  ///   notified of them.
  /// - Complexity: Same as the lock, when the predicate holds. Otherwise an allocation for the predicate,
  ///   acquiring the lock once more, and at most one evaluation of the predicate in each write section of
  ///   other threads.
  @available(
    *, noasync,
    message:
      "it blocks the thread; await the asynchronous form, or call it on a thread of your own; at the top level of main.swift, put that into a function that is not async"
  )
  @_alwaysEmitIntoClient
  @inline(always)
  public func withWriteLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    beginWriting(waitingUntil: predicate)
    return try finishWriting(body)
  }

  /// Runs `body` in a write section as soon as `predicate` holds, unless `timeout` passes first.
  ///
  /// It blocks and traps as `withWriteLock(waitingUntil:_:)` does. A negative timeout traps too.
  ///
  /// `timeout` includes the waits for the lock. When the time has passed, the thread checks the predicate once
  /// more if the lock is available immediately. If another thread is evaluating the predicate at that time, or
  /// has just found it true, the call first waits for that thread's section to end. A call that was overtaken 64 times
  /// may get the lock reserved for it, and then waits for it after its deadline, too.
  ///
  /// - **Wait**: it ends with a write that makes the predicate true; cancellation has no effect; `timeout` limits
  ///   it; see *Fairness* there; no priority is lent; its throw leaves the value as it is.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run; see `withWriteLock(waitingUntil:_:)`.
  ///   - timeout: The maximum time to wait, on the monotonic clock. `.zero` checks once. A negative timeout
  ///     traps. `nil`, and a timeout that the clock can't represent, wait forever.
  ///   - body: Reads or changes the value. The timeout does not limit how long it runs.
  /// - Returns: The result of `body`.
  /// - Throws: `TimeoutError` instead of running `body`, if the timeout passes first. The error of `body`: changes that
  ///   `body` has already made are kept, and waiting threads are notified of them.
  @available(
    *, noasync,
    message:
      "it blocks the thread; await the asynchronous form, or call it on a thread of your own; at the top level of main.swift, put that into a function that is not async"
  )
  @_alwaysEmitIntoClient
  @inline(always)
  public func withWriteLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    timeout: Duration?,
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws -> sending R {
    try beginWriting(waitingUntil: predicate, timeout: timeout)
    return try finishWriting(body)
  }
}

extension LockProtector where Value: Sendable & ~Copyable, Lock: RawReadWriteLock & ~Copyable {
  /// Runs `body` in a read section as soon as `predicate` holds; sleeps until then.
  ///
  /// For example, a countdown latch:
  ///
  /// ```swift
  /// let missing = Protector(3)
  /// // Three threads, each once:
  /// missing.withWriteLock { $0 -= 1 }
  /// // The threads that wait for all three:
  /// missing.withReadLock(waitingUntil: { $0 == 0 }) { _ in }
  /// ```
  ///
  /// It blocks, orders threads and traps as `withWriteLock(waitingUntil:_:)` does, with two differences. A
  /// write that makes the predicates of several readers true wakes all of them together, and they read side
  /// by side. A predicate that is true only for a moment, between two writes, may be missed, however often.
  ///
  /// - **Wait**: it ends with a write that makes the predicate true; cancellation has no effect; no timeout;
  ///   readers together; no priority is lent; a throw of `body` leaves the value as it is.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run; see `withWriteLock(waitingUntil:_:)`.
  ///   - body: Reads the value.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  /// - Complexity: Same as the lock, when the predicate holds. Otherwise an allocation for the predicate,
  ///   acquiring the lock once more for writing and once more for reading, and at most one evaluation of the
  ///   predicate in each write section of other threads.
  @available(
    *, noasync,
    message:
      "it blocks the thread; await the asynchronous form, or call it on a thread of your own; at the top level of main.swift, put that into a function that is not async"
  )
  @_alwaysEmitIntoClient
  @inline(always)
  public func withReadLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    _ body: (borrowing Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    self.predicate.didPass()
    // Sound: without a deadline there is always a token.
    let token = unsafe beginReading(waitingUntil: predicate, until: .never).unsafelyUnwrapped
    return try finishReading(token, body)
  }

  /// Runs `body` in a read section as soon as `predicate` holds, unless `timeout` passes first.
  ///
  /// It waits as `withReadLock(waitingUntil:_:)` does. The timeout works as in
  /// `withWriteLock(waitingUntil:timeout:_:)`; a negative one traps.
  ///
  /// - **Wait**: it ends with a write that makes the predicate true; cancellation has no effect; `timeout` limits
  ///   it; readers together; no priority is lent; its throw leaves the value as it is.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run; see `withWriteLock(waitingUntil:_:)`.
  ///   - timeout: The maximum time to wait; see `withWriteLock(waitingUntil:timeout:_:)`.
  ///   - body: Reads the value. The timeout does not limit how long it runs.
  /// - Returns: The result of `body`.
  /// - Throws: `TimeoutError` instead of running `body`, if the timeout passes first; the error of `body`.
  @available(
    *, noasync,
    message:
      "it blocks the thread; await the asynchronous form, or call it on a thread of your own; at the top level of main.swift, put that into a function that is not async"
  )
  @_alwaysEmitIntoClient
  @inline(always)
  public func withReadLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    timeout: Duration?,
    _ body: (borrowing Value) throws(E) -> sending R
  ) throws -> sending R {
    let limit = WaitLimit(timeout, for: primitive)
    guard let token = beginReading(waitingUntil: predicate, until: limit.deadline) else {
      throw timeoutPassed()
    }
    return try finishReading(token, body)
  }

  /// Begins a read section as soon as `predicate` holds; returns `nil` if the deadline passed first.
  @_alwaysEmitIntoClient
  @_transparent
  func beginReading(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool, until deadline: Deadline
  ) -> Lock.ReadToken? {
    guard let token = ownLock.beginReading(until: deadline, for: Lock.kindInProtector) else { return nil }
    if unsafe predicate(data) { return token }
    ownLock.endReading(token, for: Lock.kindInProtector)
    return deadline == .passed ? nil : waitToRead(for: predicate, until: deadline)
  }

  /// Waits in the queue; returns the token of a read section in which the predicate holds, and `nil` after the
  /// deadline.
  @_alwaysEmitIntoClient
  @inline(never)
  func waitToRead(
    for predicate: @Sendable (borrowing Value) -> Bool, until deadline: Deadline
  ) -> Lock.ReadToken? {
    var token: Lock.ReadToken?
    unsafe withWaiter(.reader, for: predicate, until: deadline) { waiter in
      var isServed = false
      repeat {
        // A thread that waits to read must also join the queue in a write section. The thread is about to
        // sleep, so the cost of this section does not matter.
        guard ownLock.beginAccess(until: deadline, for: Lock.kindInProtector) else { return }
        var spin: AdaptiveSpin.Attempt?
        if unsafe !predicate(data) {
          // Sound: the thread is in a write section, which guards the value. No other call uses this thread's
          // waiter, and a served reader's waiter has left the queue.
          if isServed { unsafe waiters.queueAgain(waiter) } else { unsafe waiters.append(waiter) }
          unsafe spin = adaptiveSpin.begin()
        }
        ownLock.endAccess(for: Lock.kindInProtector)
        if deadline == .never { self.predicate.willAcquire() }
        // If the deadline passes, `sleep` removes the waiter from the queue.
        if var spin { isServed = unsafe waiters.sleep(waiter, until: deadline, &spin) }
        if deadline == .never { self.predicate.didStopWaiting() }
        guard let entered = ownLock.beginReading(until: deadline, for: Lock.kindInProtector) else { return }
        if unsafe predicate(data) {
          token = entered
          return
        }
        ownLock.endReading(entered, for: Lock.kindInProtector)
      } while !deadline.hasPassed
    }
    return token
  }
}
