public import DeadlockDetector
public import LockSupport
public import ReadWriteLocks

// Functions in which a thread waits for a predicate and then writes. The header of `WaitQueue` has the
// algorithm, and the argument that no wake-up is lost.

extension LockProtector where Value: ~Copyable, Lock: ~Copyable {
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
  /// - **Blocking**: until the predicate holds, and while another thread holds the lock. A thread spins for
  ///   some microseconds if spinning has recently paid off, and then sleeps in the kernel. From time to time
  ///   a thread spins for about a tenth of a millisecond, to find out whether spinning would pay off. In
  ///   asynchronous code the call would block a thread of the pool that all tasks share. With `await`, the
  ///   compiler selects the asynchronous form, which suspends the task.
  /// - **Fairness**: when the predicates of several waiting threads hold, spinning threads come first. The
  ///   others follow, in the order of their arrival. When 64 later threads have overtaken the thread that has
  ///   waited for longest, it ranks with the spinning threads. After 64 more overtakings, so does the next
  ///   waiting thread. So no thread starves. A thread that finds its predicate true on arrival does not
  ///   queue.
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
  ///   acquiring the lock twice more, and at most one evaluation of the predicate in each write section of
  ///   other threads.
  @available(
    *, noasync,
    message:
      "it blocks the thread; await the form whose result is optional, or call it on a thread of your own; at the top level of main.swift, put that into a function that is not async"
  )
  @_alwaysEmitIntoClient
  @inline(always)
  public func withWriteLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    self.predicate.didPass()
    if let result = try withWriteLock(ifNow: predicate, body) { return result }
    var outcome = withWriteLock(
      queuedFor: predicate, until: .never, entering: LockProtector.enterForWriting, body)
    return try outcome.take()
  }

  /// Runs `body` in a write section as soon as `predicate` holds, if that happens within `timeout`.
  ///
  /// It blocks and traps as `withWriteLock(waitingUntil:_:)` does. A negative timeout traps too.
  ///
  /// A thread that sleeps until the predicate holds gives up when the time has passed, even if other threads
  /// hold the lock. If another thread is evaluating the predicate at that time, or has just found it true,
  /// the call first waits for that thread's section to end. It depends on the lock whether `timeout` also
  /// limits the wait for the lock:
  ///
  /// - With a `TimedReadWriteLock`, `timeout` includes the wait for the lock. When the time has passed, the
  ///   thread checks the predicate once more if the lock is available immediately. If the predicate holds,
  ///   `body` runs.
  /// - With another lock, the wait for the lock has no timeout. A thread that begins that wait in time
  ///   continues it until it acquires the lock, so the call may return late. When the time has passed, the
  ///   thread does not acquire the lock again.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run; see `withWriteLock(waitingUntil:_:)`.
  ///   - timeout: The maximum time to wait, on the monotonic clock. `.zero` checks once. A negative timeout
  ///     traps. `nil`, and a timeout that the clock can't represent, wait for ever.
  ///   - body: Reads or changes the value. The timeout does not limit how long it runs.
  /// - Returns: The result of `body`; `nil` if the timeout passed first and `body` was not run.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept, and waiting threads are
  ///   notified of them.
  @available(
    *, noasync,
    message:
      "it blocks the thread; await the form whose result is optional, or call it on a thread of your own; at the top level of main.swift, put that into a function that is not async"
  )
  @_alwaysEmitIntoClient
  @inline(always)
  public func withWriteLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    timeout: Duration?,
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    let limit = WaitLimit(timeout, for: primitive)
    if let result = try withWriteLock(ifNow: predicate, body) { return result }
    if limit.isZero { return nil }
    var outcome = withWriteLock(
      queuedFor: predicate, until: limit.deadline, entering: LockProtector.enterForWriting, body)
    return try outcome.takeIfPresent()
  }

  /// Runs `section` in a write section and returns `true`.
  ///
  /// If the deadline has already passed, returns `false` without acquiring the lock. If not, the wait for the
  /// lock has no timeout.
  @_alwaysEmitIntoClient
  static func enterForWriting(_ protector: LockProtector, until deadline: Deadline, _ section: () -> Void)
    -> Bool
  {
    if deadline.hasPassed { return false }
    protector.lock.withWriteLock { section() }
    return true
  }

  /// A function that acquires the lock, runs `section` and returns `true`.
  ///
  /// It returns `false`, and does not run `section`, if the deadline passes before it has acquired the lock.
  ///
  /// There is one such function for each kind of section, and for locks with and without timeouts. It
  /// captures nothing, because a closure that captures another closure would need an allocation.
  @usableFromInline
  typealias Entry = (_ protector: LockProtector, _ deadline: Deadline, _ section: () -> Void) -> Bool

  /// Calls `body` with a new waiter for `predicate`.
  ///
  /// When `body` returns, the waiter must not be in the queue, because it is on the stack of this function.
  @_alwaysEmitIntoClient
  func withWaiter(
    isWriterThread: Bool, for predicate: @Sendable (borrowing Value) -> Bool, until deadline: Deadline,
    _ body: (UnsafeMutablePointer<Waiter>) -> Void
  ) {
    withoutActuallyEscaping(predicate) { predicate in
      // Sound: the predicate and the waiter are on the stack while `body` runs, and the waiter is in the
      // queue only then. `WaitQueue` evaluates predicates under the lock, with the address of this
      // protector's value.
      unsafe withUnsafePointer(to: WaitPredicate<Value>(isSatisfied: predicate)) { predicate in
        unsafe withUnsafeTemporaryAllocation(of: Waiter.self, capacity: 1) { memory in
          let waiter = memory.baseAddress!
          unsafe waiter.initialize(
            to: Waiter(
              isWriterThread: isWriterThread, isCancellable: deadline != .never,
              primitive: self.predicate.primitive(.predicate), predicate: UnsafeRawPointer(predicate)
            ) { value, predicate in
              unsafe predicate.assumingMemoryBound(to: WaitPredicate<Value>.self).pointee
                .isSatisfied(value.assumingMemoryBound(to: Value.self).pointee)
            })
          unsafe body(waiter)
          unsafe waiter.pointee.willEnd()
          unsafe waiter.deinitialize(count: 1)
        }
      }
    }
  }

  /// Runs `body` in a write section and returns its result, if `predicate` holds in that section.
  ///
  /// Otherwise returns `nil`.
  @_alwaysEmitIntoClient
  @inline(always)
  func withWriteLock<R: ~Copyable, E: Error>(
    ifNow predicate: (borrowing Value) -> Bool,
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    var served = ServedWaiters()
    defer { if served.isNotEmpty { served.wake() } }
    return try lock.withWriteLock { () throws(E) -> sending R? in
      guard unsafe predicate(value) else { return nil }
      self.predicate.willSatisfy(afterWaiting: true)
      defer { if waiters.isNotEmpty { served = serveWaiters() } }
      return try unsafe body(&value)
    }
  }

  /// Waits in the queue until `predicate` holds, and then runs `body` in a write section.
  ///
  /// Call this after a first check has found the predicate false. The outcome is the result or the error of
  /// `body`; it is empty if the deadline passed first.
  @_alwaysEmitIntoClient
  @inline(never)
  func withWriteLock<R: ~Copyable, E: Error>(
    queuedFor predicate: @Sendable (borrowing Value) -> Bool, until deadline: Deadline,
    entering enter: @escaping Entry,
    _ body: (inout sending Value) throws(E) -> sending R
  ) -> Outcome<R, E> {
    var outcome = Outcome<R, E>()
    unsafe withWaiter(isWriterThread: true, for: predicate, until: deadline) { waiter in
      // The limits of the next wait, and after that wait also its outcome; `nil` if the thread need not wait.
      var wait: AdaptiveSpin.Attempt?
      var isLate = false
      while true {
        let ended = wait.take()
        var served = ServedWaiters()
        let isIn = enter(self, deadline) {
          if let ended, !isLate { unsafe adaptiveSpin.end(ended) }
          // Sound: the thread is in a write section, which guards the value. No other call uses this thread's
          // waiter.
          if unsafe predicate(value) {
            unsafe waiters.arrive(waiter)
            self.predicate.willSatisfy(afterWaiting: true)
            do throws(E) {
              outcome.put(.success(try unsafe body(&value)))
            } catch {
              outcome.put(.failure(error))
            }
            if waiters.isNotEmpty { served = serveWaiters() }
          } else if !isLate {
            if ended == nil {
              unsafe waiters.append(waiter)
            } else {
              unsafe waiters.waitOn(waiter)
              // Only one served writer at a time may be on its way to the lock. The calling thread was that
              // writer, and must wait again. So serve another writer whose predicate holds.
              served = serveWaiters()
            }
            unsafe wait = adaptiveSpin.begin()
          }
        }
        if served.isNotEmpty { served.wake() }
        if !isIn { unsafe waiters.passOn(waiter) }
        guard var begun = wait else { break }
        if deadline == .never { self.predicate.willAcquire() }
        defer { if deadline == .never { self.predicate.didRelease() } }
        // If the deadline passes, `sleep` removes the waiter from the queue. If the lock is a
        // `TimedReadWriteLock`, the next call of `enter` still tries to acquire it, and the thread checks the
        // predicate a last time. For other locks, `enter` then returns `false` immediately.
        isLate = unsafe !waiters.sleep(waiter, until: deadline, &begun)
        wait = begun
      }
    }
    return outcome
  }
}
