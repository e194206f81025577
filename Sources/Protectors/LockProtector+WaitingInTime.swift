public import DeadlockDetector
public import LockSupport
public import ReadWriteLocks

// Functions that wait for a predicate with a timeout that also limits the wait for the lock. They require a
// `TimedReadWriteLock`.

extension LockProtector where Value: ~Copyable, Lock: TimedReadWriteLock & ~Copyable {
  /// Runs `body` in a write section as soon as `predicate` holds, if that happens within `timeout`.
  ///
  /// This is for a lock with timeouts: `timeout` includes all waits for the lock.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run; see `withWriteLock(waitingUntil:_:)`.
  ///   - timeout: The maximum time to wait, for the lock and for the predicate, on the monotonic clock.
  ///     `.zero` checks once. A negative timeout traps. `nil`, and a timeout that the clock can't represent,
  ///     wait for ever.
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
    guard let timeout, !limit.isEndless else {
      return try withWriteLock(waitingUntil: predicate, body)
    }
    var isIn = false
    let result = try withWriteLock(timeout: timeout, ifNow: predicate, isIn: &isIn, body)
    if let result { return result }
    guard isIn, !limit.isZero else { return nil }
    var outcome = withWriteLock(
      queuedFor: predicate, until: limit.deadline, entering: LockProtector.enterForWritingInTime, body)
    return try outcome.takeIfPresent()
  }

  /// Runs `section` in a write section, and returns whether the lock was acquired in time.
  ///
  /// After the deadline, the lock is acquired only if it is available immediately. If not, `section` does not
  /// run.
  @_alwaysEmitIntoClient
  static func enterForWritingInTime(
    _ protector: LockProtector, until deadline: Deadline, _ section: () -> Void
  ) -> Bool {
    protector.lock.withWriteLock(timeout: deadline.remaining) {
      section()
      return true
    } ?? false
  }

  /// Runs `body` in a write section and returns its result, if the lock can be acquired within `timeout` and
  /// `predicate` holds in that section.
  ///
  /// Otherwise returns `nil`. Sets `isIn` to `true` if the lock was acquired, even if the predicate is false.
  @_alwaysEmitIntoClient
  @inline(always)
  func withWriteLock<R: ~Copyable, E: Error>(
    timeout: Duration, ifNow predicate: (borrowing Value) -> Bool, isIn: inout Bool,
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    var served = ServedWaiters()
    defer { if served.isNotEmpty { served.wake() } }
    let result = try lock.withWriteLock(timeout: timeout) { () throws(E) -> sending R? in
      isIn = true
      guard unsafe predicate(value) else { return nil }
      self.predicate.willSatisfy(afterWaiting: true)
      defer { if waiters.isNotEmpty { served = serveWaiters() } }
      return try unsafe body(&value)
    }
    guard let result else { return nil }
    return result
  }
}

extension LockProtector where Value: Sendable & ~Copyable, Lock: TimedReadWriteLock & ~Copyable {
  /// Runs `body` in a read section as soon as `predicate` holds, if that happens within `timeout`.
  ///
  /// This is for a lock with timeouts: `timeout` includes all waits for the lock.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run; see `withWriteLock(waitingUntil:_:)`.
  ///   - timeout: The maximum time to wait, for the lock and for the predicate, on the monotonic clock.
  ///     `.zero` checks once. A negative timeout traps. `nil`, and a timeout that the clock can't represent,
  ///     wait for ever.
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
      queuedFor: predicate, until: limit.deadline, entering: LockProtector.enterForReadingInTime,
      toWrite: LockProtector.enterForWritingInTime, body)
    return try outcome.takeIfPresent()
  }

  /// Runs `section` in a read section, and returns whether the lock was acquired in time.
  ///
  /// After the deadline, the lock is acquired only if it is available immediately. If not, `section` does not
  /// run.
  @_alwaysEmitIntoClient
  static func enterForReadingInTime(
    _ protector: LockProtector, until deadline: Deadline, _ section: () -> Void
  ) -> Bool {
    protector.lock.withReadLock(timeout: deadline.remaining) {
      section()
      return true
    } ?? false
  }
}
