public import PlatformLocks
public import ReadWriteLocks

// Waiting for a predicate. The algorithm and why it loses no wake-up are in `WaitQueue`.

extension LockProtector where Value: ~Copyable, Lock: ~Copyable {
  // MARK: Writing

  /// Runs `body` in a write section as soon as `predicate` holds; sleeps until then.
  ///
  /// Nobody has to signal: the end of each write section of this protector looks whose predicate it has made true. A
  /// bounded queue, for instance:
  ///
  /// ```swift
  /// func push(_ element: Element) {
  ///   state.withWriteLock(waitingUntil: { $0.count < capacity }) { $0.append(element) }
  /// }
  /// func pop() -> Element {
  ///   state.withWriteLock(waitingUntil: { !$0.isEmpty }) { $0.removeFirst() }
  /// }
  /// ```
  ///
  /// - **Blocking**: until the predicate holds, and while another thread is in a section. A thread spins for some
  ///   microseconds if spinning has recently paid off, and then sleeps in the kernel; now and then it finds out whether it would be of
  ///   use, for about a tenth of a millisecond. In asynchronous code it blocks a thread of the pool that all tasks share: call
  ///   it from a thread of your own. There is no asynchronous form.
  /// - **Fairness**: of those who wait and whose predicates hold, threads that have not fallen asleep yet come first, then
  ///   those that wait for longest. After 64 that came later, the one that waits for longest is preferred like those
  ///   that are awake, after 64 more the next one, so that nobody is overtaken for ever.
  ///   A thread that finds its predicate true when it comes does not wait behind them.
  /// - **Deadlocks it permits**: a predicate that nobody makes true; waiting inside a section of another protector that
  ///   is needed to make it true.
  /// - **Traps**: what traps with the lock when sections nest; that includes a predicate that uses the protector.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run. It runs under the lock: on this thread, and after writes also on
  ///     the thread that wrote, which is why it may capture only what is `Sendable`. It must be quick and depend on
  ///     nothing but the value; it is evaluated again only after writes.
  ///   - body: What to do with the value.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; changes that it made before stay, and wake others.
  /// - Complexity: That of the lock, when the predicate holds. Otherwise an allocation for the predicate, two further
  ///   entries into the lock, and an evaluation of the predicate in each write section of others, at most.
  @inlinable
  public func withWriteLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    if let result = try withWriteLock(ifNow: predicate, body) { return result }
    var outcome = withWriteLock(
      queuedFor: predicate, until: .never, entering: Self.enterForWriting, body)
    return try outcome.take()
  }

  /// Runs `body` in a write section as soon as `predicate` holds, if that is so in time.
  ///
  /// All that `withWriteLock(waitingUntil:_:)` says holds here too. A negative timeout traps.
  ///
  /// The result is `nil` as soon as the time has passed, however long others hold the lock. Only an evaluation of this
  /// predicate that is under way is waited for, and the end of the section that makes it.
  ///
  /// - With a `TimedReadWriteLock` the entries into the lock count as part of the time. When the time has passed, the
  ///   thread looks once more if the lock can be had at once: a predicate that holds then is no failure.
  /// - With another lock, whose waits can't be limited, a thread that has begun to wait for the lock in time waits until
  ///   it has it: when it comes, and when the predicate has become true. Once the time has passed it does not look
  ///   again, because that could block for as long as others hold the lock.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run; see `withWriteLock(waitingUntil:_:)`.
  ///   - timeout: How long to wait at most, on the monotonic clock. `.zero` looks once; a negative one traps; one that
  ///     the clock can't represent, and `nil`, wait for ever.
  ///   - body: What to do with the value; its own time does not count.
  /// - Returns: What `body` returns; `nil` when the time passed first and `body` was not run.
  /// - Throws: What `body` throws; changes that it made before stay, and wake others.
  @inlinable
  public func withWriteLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    timeout: Duration?,
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    let limit = WaitLimit(timeout)
    if let result = try withWriteLock(ifNow: predicate, body) { return result }
    if limit.isZero { return nil }
    var outcome = withWriteLock(
      queuedFor: predicate, until: limit.deadline, entering: Self.enterForWriting, body)
    return try outcome.takeIfPresent()
  }

  /// Enters to write, if the deadline has not passed when the thread comes.
  @inlinable
  static func enterForWriting(_ protector: LockProtector, until deadline: Deadline, _ section: () -> Void)
    -> Bool
  {
    if deadline.hasPassed { return false }
    protector.lock.withWriteLock { section() }
    return true
  }

  /// How a thread enters the lock: runs the closure in a section, or returns `false` when the deadline passed first.
  ///
  /// A function that captures nothing, because a closure that captures another one can't be passed on without a memory
  /// block; it tells the locks whose waits can be limited from those whose waits can't.
  @usableFromInline
  typealias Entry = (_ protector: LockProtector, _ deadline: Deadline, _ section: () -> Void) -> Bool

  /// Calls `body` with a waiter for `predicate`, which is in no queue, and has to be in none again when it returns.
  @inlinable
  func withWaiter(
    isReading: Bool, for predicate: @Sendable (borrowing Value) -> Bool, until deadline: Deadline,
    _ body: (UnsafeMutablePointer<Waiter>) -> Void
  ) {
    withoutActuallyEscaping(predicate) { predicate in
      // Sound: predicate and waiter stand on the stack for as long as `body` runs; `WaitQueue` evaluates predicates
      // under the lock, with the address of this protector's value.
      unsafe withUnsafePointer(to: WaitPredicate<Value>(isSatisfied: predicate)) { predicate in
        unsafe withUnsafeTemporaryAllocation(of: Waiter.self, capacity: 1) { memory in
          let waiter = memory.baseAddress!
          unsafe waiter.initialize(
            to: Waiter(
              isReading: isReading, mayLeave: deadline != .never, predicate: UnsafeRawPointer(predicate)
            ) { value, predicate in
              unsafe predicate.assumingMemoryBound(to: WaitPredicate<Value>.self).pointee
                .isSatisfied(value.assumingMemoryBound(to: Value.self).pointee)
            })
          unsafe body(waiter)
          unsafe waiter.deinitialize(count: 1)
        }
      }
    }
  }

  /// Runs `body` if `predicate` holds when the thread enters.
  @inlinable
  func withWriteLock<R: ~Copyable, E: Error>(
    ifNow predicate: (borrowing Value) -> Bool,
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    var served = ServedWaiters()
    defer { if served.isNotEmpty { served.wake() } }
    return try lock.withWriteLock { () throws(E) -> sending R? in
      guard unsafe predicate(value) else { return nil }
      defer { if waiters.isNotEmpty { served = serveWaiters() } }
      return try unsafe body(&value)
    }
  }

  /// Runs `body` as soon as `predicate` holds, which it did not a moment ago; the outcome is empty when the deadline
  /// passed first.
  @inlinable
  @inline(never)
  func withWriteLock<R: ~Copyable, E: Error>(
    queuedFor predicate: @Sendable (borrowing Value) -> Bool, until deadline: Deadline,
    entering enter: @escaping Entry,
    _ body: (inout sending Value) throws(E) -> sending R
  ) -> SectionOutcome<R, E> {
    var outcome = SectionOutcome<R, E>()
    unsafe withWaiter(isReading: false, for: predicate, until: deadline) { waiter in
      var attempt: AdaptiveSpin.Attempt?
      var isServed = false
      var isLastLook = false
      while true {
        var served = ServedWaiters()
        let isIn = enter(self, deadline) {
          if let attempt, !isLastLook { unsafe adaptiveSpin.end(attempt) }
          // Sound: this thread's own waiter, in a write section.
          if unsafe predicate(value) {
            unsafe waiters.arrive(waiter)
            do throws(E) {
              outcome.put(.success(try unsafe body(&value)))
            } catch {
              outcome.put(.failure(error))
            }
            if waiters.isNotEmpty { served = serveWaiters() }
          } else if !isLastLook {
            if isServed {
              unsafe waiters.waitOn(waiter)
              // What it was woken for may concern another one.
              served = serveWaiters()
            } else {
              unsafe waiters.append(waiter)
            }
            unsafe attempt = adaptiveSpin.begin()
          }
        }
        if served.isNotEmpty { served.wake() }
        if !isIn { unsafe waiters.passOn(waiter) }
        if !isIn || isLastLook || outcome.isPresent { break }
        isServed = true
        // Out of the queue: the time has passed, and nobody has served it.
        isLastLook = unsafe !waiter.pointee.sleep(until: deadline, &attempt!) && waiters.leave(waiter)
      }
    }
    return outcome
  }
}

extension LockProtector where Value: Sendable & ~Copyable, Lock: ~Copyable {
  // MARK: Reading

  /// Runs `body` in a read section as soon as `predicate` holds; sleeps until then.
  ///
  /// A countdown latch, for instance:
  ///
  /// ```swift
  /// let missing = Protector(3)
  /// // Three threads, each once:
  /// missing.withWriteLock { $0 -= 1 }
  /// // Those who wait for all of them:
  /// missing.withReadLock(waitingUntil: { $0 == 0 }) { _ in }
  /// ```
  ///
  /// All that `withWriteLock(waitingUntil:_:)` says holds here too, with two differences: a write that makes
  /// predicates of several readers true wakes all of them at once, and they read side by side; and a predicate that
  /// was true for a moment only, between two writes, may be missed.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run; see `withWriteLock(waitingUntil:_:)`.
  ///   - body: What to do with the value.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  /// - Complexity: That of the lock, when the predicate holds. Otherwise an allocation for the predicate, two further
  ///   entries into the lock, of which one is to write, and an evaluation of the predicate in each write section of
  ///   others, at most.
  @inlinable
  public func withReadLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    _ body: (borrowing Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    if let result = try withReadLock(ifNow: predicate, body) { return result }
    var outcome = withReadLock(
      queuedFor: predicate, until: .never, entering: Self.enterForReading,
      toWrite: Self.enterForWriting, body)
    return try outcome.take()
  }

  /// Runs `body` in a read section as soon as `predicate` holds, if that is so in time.
  ///
  /// All that `withReadLock(waitingUntil:_:)` says holds here too, and of the time what
  /// `withWriteLock(waitingUntil:timeout:_:)` says. A negative timeout traps.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run; see `withWriteLock(waitingUntil:_:)`.
  ///   - timeout: How long to wait at most; see `withWriteLock(waitingUntil:timeout:_:)`.
  ///   - body: What to do with the value; its own time does not count.
  /// - Returns: What `body` returns; `nil` when the time passed first and `body` was not run.
  /// - Throws: What `body` throws.
  @inlinable
  public func withReadLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    timeout: Duration?,
    _ body: (borrowing Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    let limit = WaitLimit(timeout)
    if let result = try withReadLock(ifNow: predicate, body) { return result }
    if limit.isZero { return nil }
    var outcome = withReadLock(
      queuedFor: predicate, until: limit.deadline, entering: Self.enterForReading,
      toWrite: Self.enterForWriting, body)
    return try outcome.takeIfPresent()
  }

  /// Enters to read, if the deadline has not passed when the thread comes.
  @inlinable
  static func enterForReading(_ protector: LockProtector, until deadline: Deadline, _ section: () -> Void)
    -> Bool
  {
    if deadline.hasPassed { return false }
    protector.lock.withReadLock { section() }
    return true
  }

  /// Runs `body` if `predicate` holds when the thread enters.
  @inlinable
  func withReadLock<R: ~Copyable, E: Error>(
    ifNow predicate: (borrowing Value) -> Bool,
    _ body: (borrowing Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    try lock.withReadLock { () throws(E) -> sending R? in
      guard unsafe predicate(value) else { return nil }
      return try unsafe body(value)
    }
  }

  /// Runs `body` as soon as `predicate` holds, which it did not a moment ago; the outcome is empty when the deadline
  /// passed first.
  @inlinable
  @inline(never)
  func withReadLock<R: ~Copyable, E: Error>(
    queuedFor predicate: @Sendable (borrowing Value) -> Bool, until deadline: Deadline,
    entering enter: @escaping Entry, toWrite enterForWriting: @escaping Entry,
    _ body: (borrowing Value) throws(E) -> sending R
  ) -> SectionOutcome<R, E> {
    var outcome = SectionOutcome<R, E>()
    unsafe withWaiter(isReading: true, for: predicate, until: deadline) { waiter in
      var isServed = false
      repeat {
        // In a write section, because the queue changes. Readers that sleep can afford one.
        var attempt: AdaptiveSpin.Attempt?
        let isIn = enterForWriting(self, deadline) {
          if unsafe predicate(value) { return }
          // Sound: this thread's own waiter, in a write section. It was taken out of the queue when it was served.
          if isServed {
            unsafe waiters.waitOn(waiter)
          } else {
            unsafe waiters.append(waiter)
          }
          unsafe attempt = adaptiveSpin.begin()
        }
        guard isIn else { break }
        // A thread whose time has passed looks once more all the same.
        if var attempt, unsafe waiter.pointee.sleep(until: deadline, &attempt) || !waiters.leave(waiter) {
          isServed = true
        }
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

extension LockProtector where Value: ~Copyable, Lock: TimedReadWriteLock & ~Copyable {
  // MARK: With locks whose waits can be limited

  /// Runs `body` in a write section as soon as `predicate` holds, if that is so in time.
  ///
  /// The form for locks whose own waits can be limited: `timeout` includes the first entry into the lock.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run; see the form without this lock's limits.
  ///   - timeout: How long to wait at most, for the lock and for the predicate; see there.
  ///   - body: What to do with the value; its own time does not count.
  /// - Returns: What `body` returns; `nil` when the time passed first and `body` was not run.
  /// - Throws: What `body` throws; changes that it made before stay, and wake others.
  @inlinable
  public func withWriteLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    timeout: Duration?,
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    let limit = WaitLimit(timeout)
    guard let timeout, !limit.isEndless else {
      return try withWriteLock(waitingUntil: predicate, body)
    }
    var isIn = false
    let result = try withWriteLock(timeout: timeout, ifNow: predicate, isIn: &isIn, body)
    if let result { return result }
    guard isIn, !limit.isZero else { return nil }
    var outcome = withWriteLock(
      queuedFor: predicate, until: limit.deadline, entering: Self.enterForWritingInTime, body)
    return try outcome.takeIfPresent()
  }

  /// Enters to write; once the deadline has passed, only if the lock can be had at once.
  @inlinable
  static func enterForWritingInTime(
    _ protector: LockProtector, until deadline: Deadline, _ section: () -> Void
  ) -> Bool {
    protector.lock.withWriteLock(timeout: deadline.remaining) {
      section()
      return true
    } ?? false
  }

  /// Runs `body` if the lock can be had in time and `predicate` holds then; tells whether the lock was had.
  @inlinable
  func withWriteLock<R: ~Copyable, E: Error>(
    timeout: Duration, ifNow predicate: (borrowing Value) -> Bool, isIn: inout Bool,
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    var served = ServedWaiters()
    defer { if served.isNotEmpty { served.wake() } }
    let result = try lock.withWriteLock(timeout: timeout) { () throws(E) -> sending R? in
      isIn = true
      guard unsafe predicate(value) else { return nil }
      defer { if waiters.isNotEmpty { served = serveWaiters() } }
      return try unsafe body(&value)
    }
    guard let result else { return nil }
    return result
  }
}

extension LockProtector where Value: Sendable & ~Copyable, Lock: TimedReadWriteLock & ~Copyable {
  /// Runs `body` in a read section as soon as `predicate` holds, if that is so in time.
  ///
  /// The form for locks whose own waits can be limited: `timeout` includes the first entry into the lock.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run; see the form without this lock's limits.
  ///   - timeout: How long to wait at most, for the lock and for the predicate; see there.
  ///   - body: What to do with the value; its own time does not count.
  /// - Returns: What `body` returns; `nil` when the time passed first and `body` was not run.
  /// - Throws: What `body` throws.
  @inlinable
  public func withReadLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    timeout: Duration?,
    _ body: (borrowing Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    let limit = WaitLimit(timeout)
    guard let timeout, !limit.isEndless else {
      return try withReadLock(waitingUntil: predicate, body)
    }
    var isIn = false
    let result = try lock.withReadLock(timeout: timeout) { () throws(E) -> sending R? in
      isIn = true
      guard unsafe predicate(value) else { return nil }
      return try unsafe body(value)
    }
    if let result, let result { return result }
    guard isIn, !limit.isZero else { return nil }
    var outcome = withReadLock(
      queuedFor: predicate, until: limit.deadline, entering: Self.enterForReadingInTime,
      toWrite: Self.enterForWritingInTime, body)
    return try outcome.takeIfPresent()
  }

  /// Enters to read; once the deadline has passed, only if the lock can be had at once.
  @inlinable
  static func enterForReadingInTime(
    _ protector: LockProtector, until deadline: Deadline, _ section: () -> Void
  ) -> Bool {
    protector.lock.withReadLock(timeout: deadline.remaining) {
      section()
      return true
    } ?? false
  }
}
