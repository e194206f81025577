public import DeadlockDetector
public import LockSupport
public import ReadWriteLocks

// Functions in which a thread waits for a predicate and then reads.

extension LockProtector where Value: Sendable & ~Copyable, Lock: ~Copyable {
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
  /// by side. A predicate that is true only for a moment, between two writes, may be missed.
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
      "it blocks the thread; await the form whose result is optional, or call it on a thread of your own; at the top level of main.swift, put that into a function that is not async"
  )
  @_alwaysEmitIntoClient
  @inline(always)
  public func withReadLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    _ body: (borrowing Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    self.predicate.didPass()
    if let result = try withReadLock(ifNow: predicate, body) { return result }
    var outcome = withReadLock(
      queuedFor: predicate, until: .never, entering: LockProtector.enterForReading,
      toWrite: LockProtector.enterForWriting, body)
    return try outcome.take()
  }

  /// Runs `body` in a read section as soon as `predicate` holds, if that happens within `timeout`.
  ///
  /// It waits as `withReadLock(waitingUntil:_:)` does. The timeout works as in
  /// `withWriteLock(waitingUntil:timeout:_:)`; a negative one traps.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run; see `withWriteLock(waitingUntil:_:)`.
  ///   - timeout: The maximum time to wait; see `withWriteLock(waitingUntil:timeout:_:)`.
  ///   - body: Reads the value. The timeout does not limit how long it runs.
  /// - Returns: The result of `body`; `nil` if the timeout passed first and `body` was not run.
  /// - Throws: The error of `body`.
  @available(
    *, noasync,
    message:
      "it blocks the thread; await the form whose result is optional, or call it on a thread of your own; at the top level of main.swift, put that into a function that is not async"
  )
  @_alwaysEmitIntoClient
  @inline(always)
  public func withReadLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    timeout: Duration?,
    _ body: (borrowing Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    let limit = WaitLimit(timeout, for: primitive)
    if let result = try withReadLock(ifNow: predicate, body) { return result }
    if limit.isZero { return nil }
    var outcome = withReadLock(
      queuedFor: predicate, until: limit.deadline, entering: LockProtector.enterForReading,
      toWrite: LockProtector.enterForWriting, body)
    return try outcome.takeIfPresent()
  }

  /// Runs `section` in a read section and returns `true`.
  ///
  /// If the deadline has already passed, returns `false` without acquiring the lock. If not, the wait for the
  /// lock has no timeout.
  @_alwaysEmitIntoClient
  static func enterForReading(_ protector: LockProtector, until deadline: Deadline, _ section: () -> Void)
    -> Bool
  {
    if deadline.hasPassed { return false }
    protector.lock.withReadLock { section() }
    return true
  }

  /// Runs `body` in a read section and returns its result, if `predicate` holds in that section.
  ///
  /// Otherwise returns `nil`.
  @_alwaysEmitIntoClient
  @inline(always)
  func withReadLock<R: ~Copyable, E: Error>(
    ifNow predicate: (borrowing Value) -> Bool,
    _ body: (borrowing Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    try lock.withReadLock { () throws(E) -> sending R? in
      guard unsafe predicate(value) else { return nil }
      return try unsafe body(value)
    }
  }

  /// Waits in the queue until `predicate` holds, and then runs `body` in a read section.
  ///
  /// Call this after a first check has found the predicate false. The outcome is the result or the error of
  /// `body`; it is empty if the deadline passed first.
  @_alwaysEmitIntoClient
  @inline(never)
  func withReadLock<R: ~Copyable, E: Error>(
    queuedFor predicate: @Sendable (borrowing Value) -> Bool, until deadline: Deadline,
    entering enter: @escaping Entry, toWrite enterForWriting: @escaping Entry,
    _ body: (borrowing Value) throws(E) -> sending R
  ) -> Outcome<R, E> {
    var outcome = Outcome<R, E>()
    unsafe withWaiter(isWriterThread: false, for: predicate, until: deadline) { waiter in
      var isServed = false
      repeat {
        // A thread that waits to read must also join the queue in a write section. The thread is about to
        // sleep, so the cost of this section does not matter.
        var wait: AdaptiveSpin.Attempt?
        let isIn = enterForWriting(self, deadline) {
          if unsafe predicate(value) { return }
          // Sound: the thread is in a write section, which guards the value. No other call uses this thread's
          // waiter, and a served reader's waiter has left the queue.
          if isServed {
            unsafe waiters.waitOn(waiter)
          } else {
            unsafe waiters.append(waiter)
          }
          unsafe wait = adaptiveSpin.begin()
        }
        guard isIn else { break }
        if deadline == .never { self.predicate.willAcquire() }
        // If the deadline passes, `sleep` removes the waiter from the queue. If the lock is a
        // `TimedReadWriteLock`, the next call of `enter` still tries to acquire it, and the thread checks the
        // predicate a last time. For other locks, `enter` then returns `false` immediately.
        if var wait { isServed = unsafe waiters.sleep(waiter, until: deadline, &wait) }
        if deadline == .never { self.predicate.didRelease() }
        let isInAgain = enter(self, deadline) {
          guard unsafe predicate(value) else { return }
          do throws(E) {
            outcome.put(.success(try unsafe body(value)))
          } catch {
            outcome.put(.failure(error))
          }
        }
        if !isInAgain { break }
      } while !outcome.isPresent && !deadline.hasPassed
    }
    return outcome
  }
}
