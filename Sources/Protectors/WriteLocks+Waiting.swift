public import InterlockCore
public import UnfairLocks

// Functions in which a thread or a task waits for a predicate over several values. The headers of `JointWait` and
// of `acquireTogether` have the algorithm.

// Out of line: code that gives up must not make the others longer. Several protectors have no address in common.
@usableFromInline
@inline(never)
func timeoutOfSeveralPassed() -> any Error {
  TimeoutError(Primitive(.severalProtectors))
}

// MARK: - Two protectors

/// Runs `body` with the values of two protectors as soon as `predicate` holds for both; sleeps until then.
///
/// ```swift
/// let (worker, job) = withWriteLocks(
///   idle, jobs, waitingUntil: { !$0.isEmpty && !$1.isEmpty }
/// ) { idle, jobs in (idle.removeLast(), jobs.removeFirst()) }
/// ```
///
/// No thread needs to signal: the end of each write section of either protector wakes each such call, which acquires
/// both locks and evaluates its predicate again. The values must be `Sendable`: otherwise the predicate could keep one,
/// or make both refer to one object, and the compiler would not notice.
///
/// - **Wait**: it ends with writes that make the predicate true; cancellation has no effect; no timeout; in no
///   order; no priority is lent; a throw of `body` leaves what it has changed.
/// - **Blocking**: until the predicate holds, and while other threads are in sections of either protector, as
///   `withWriteLocks(_:_:_:)`. With `await`, the compiler selects the asynchronous form.
/// - **Fairness**: none among the calls that a write wakes, or between them and others. One whose predicate is
///   false again goes on waiting.
/// - **Deadlocks it permits**: a predicate that no write makes true; a call inside a section of another lock that the
///   writing threads need; those of `withWriteLocks(_:_:_:)`. The trait `DeadlockDetection` does not report a wait for
///   the predicate.
/// - **Traps**: the same protector twice; nested sections, as in `withWriteLocks(_:_:_:)`. The predicate must not use
///   the protectors.
///
/// - Parameters:
///   - first: A protector.
///   - second: Another protector, which may be of another type.
///   - predicate: Whether `body` may run. It is evaluated under both locks, on this thread, and again after writes
///     to either value. It must be quick, and must depend only on the values.
///   - body: Reads or changes the two values.
/// - Returns: The result of `body`.
/// - Throws: The error of `body`. Changes that `body` has already made are kept.
/// - Complexity: As `withWriteLocks(_:_:_:)`, when the predicate holds. Otherwise that again, and some allocations,
///   after each write to either value.
@available(*, noasync, message: "it blocks the thread; await the asynchronous form")
@_alwaysEmitIntoClient
public func withWriteLocks<
  First: Sendable & ~Copyable, FirstLock: RawLock & ~Copyable,
  Second: Sendable & ~Copyable, SecondLock: RawLock & ~Copyable,
  R: ~Copyable, E: Error
>(
  _ first: GuardedValue<First, FirstLock>, _ second: GuardedValue<Second, SecondLock>,
  waitingUntil predicate: (borrowing First, borrowing Second) -> Bool,
  _ body: (inout sending First, inout sending Second) throws(E) -> sending R
) throws(E) -> sending R {
  _ = beginBoth(first, second, waitingUntil: predicate, until: .never)
  return try finishBoth(first, second, afterWaiting: true, body)
}

/// Runs `body` with the values of two protectors as soon as `predicate` holds for both, unless
/// `timeout` passes first.
///
/// It blocks and traps as `withWriteLocks(_:_:waitingUntil:_:)` does. A negative timeout traps too.
///
/// - **Wait**: it ends with writes that make the predicate true; cancellation has no effect; `timeout` limits it;
///   in no order; no priority is lent; its throw leaves the values as they are.
///
/// - Parameters:
///   - first: A protector.
///   - second: Another protector, which may be of another type.
///   - predicate: Whether `body` may run; see `withWriteLocks(_:_:waitingUntil:_:)`.
///   - timeout: The maximum time to wait, for the locks too, on the monotonic clock. `.zero` checks once, if both
///     locks are free. `nil` waits forever. A negative timeout traps.
///   - body: Reads or changes the two values. The timeout does not limit how long it runs.
/// - Returns: The result of `body`.
/// - Throws: `TimeoutError` instead of running `body`, if the timeout passes first. The error of `body`: changes that
///   `body` has already made are kept.
@available(*, noasync, message: "it blocks the thread; await the asynchronous form")
@_alwaysEmitIntoClient
public func withWriteLocks<
  First: Sendable & ~Copyable, FirstLock: RawLock & ~Copyable,
  Second: Sendable & ~Copyable, SecondLock: RawLock & ~Copyable,
  R: ~Copyable, E: Error
>(
  _ first: GuardedValue<First, FirstLock>, _ second: GuardedValue<Second, SecondLock>,
  waitingUntil predicate: (borrowing First, borrowing Second) -> Bool,
  timeout: Duration?,
  _ body: (inout sending First, inout sending Second) throws(E) -> sending R
) throws -> sending R {
  let limit = WaitLimit(timeout, for: Primitive(.severalProtectors))
  guard beginBoth(first, second, waitingUntil: predicate, until: limit.deadline) else {
    throw timeoutOfSeveralPassed()
  }
  return try finishBoth(first, second, afterWaiting: true, body)
}

/// Runs `body` with the values of two protectors as soon as `predicate` holds for both; suspends the task until
/// then.
///
/// The predicate is evaluated at least once. If it holds, `body` runs, even in a cancelled task.
///
/// - **Wait**: it ends with writes that make the predicate true; a task that is cancelled before or while it waits
///   throws; `timeout` limits it; in no order; no priority is lent; its throw leaves the values as they are.
/// - **Blocking**: only while other threads are in sections of either protector, as `withWriteLocks(_:_:_:)`, and
///   again after writes. The timeout limits this too.
/// - **Fairness**, **deadlocks it permits** and **traps**: as in the synchronous form.
/// - **Cancellation**: ends the wait. The task then evaluates the predicate once more, and runs `body` if it holds;
///   otherwise it throws.
/// - **Cost**: a wait takes up to three times the processor time of an actor with continuations. It can be cancelled, and
///   the call observes both values, because no write signals it.
///
/// - Parameters:
///   - first: A protector.
///   - second: Another protector, which may be of another type.
///   - predicate: Whether `body` may run. It is evaluated under both locks, by this task, and again after writes
///     to either value. It must be quick, and must depend only on the values.
///   - timeout: The maximum time to wait, for the locks too, on the monotonic clock. `.zero` checks once, if both
///     locks are free, and `nil` waits forever. A negative timeout traps.
///   - isolation: The caller's isolation.
///   - body: Reads or changes the two values, without a suspension. The timeout does not limit how long it runs.
/// - Returns: The result of `body`.
/// - Throws: `TimeoutError` or `CancellationError` instead of running `body`, if the timeout passes or the task is
///   cancelled first. The error of `body`: changes that `body` has already made are kept.
@_alwaysEmitIntoClient
public func withWriteLocks<
  First: Sendable & ~Copyable, FirstLock: RawLock & ~Copyable,
  Second: Sendable & ~Copyable, SecondLock: RawLock & ~Copyable,
  R: ~Copyable, E: Error
>(
  _ first: GuardedValue<First, FirstLock>, _ second: GuardedValue<Second, SecondLock>,
  waitingUntil predicate: (borrowing First, borrowing Second) -> Bool,
  timeout: Duration? = nil,
  isolation: isolated (any Actor)? = #isolation,
  _ body: (inout sending First, inout sending Second) throws(E) -> sending R
) async throws -> sending R {
  let limit = WaitLimit(timeout, for: Primitive(.severalProtectors))
  try await beginBoth(first, second, waitingUntil: predicate, until: limit.deadline)
  return try finishBoth(first, second, afterWaiting: true, body)
}

@_alwaysEmitIntoClient
func beginBoth<
  First: Sendable & ~Copyable, FirstLock: RawLock & ~Copyable,
  Second: Sendable & ~Copyable, SecondLock: RawLock & ~Copyable
>(
  _ first: GuardedValue<First, FirstLock>, _ second: GuardedValue<Second, SecondLock>,
  waitingUntil predicate: (borrowing First, borrowing Second) -> Bool,
  until deadline: Deadline
) -> Bool {
  // Sound, here and below: the values are read while their locks are held.
  acquireTogether(
    until: deadline, acquire: { acquireBoth(first, second, until: $0) },
    isSatisfied: { unsafe predicate(first.data, second.data) },
    observe: {
      first.observe($0)
      second.observe($0)
    },
    giveUp: {
      first.endTogether()
      second.endTogether()
    })
}

@_alwaysEmitIntoClient
func beginBoth<
  First: Sendable & ~Copyable, FirstLock: RawLock & ~Copyable,
  Second: Sendable & ~Copyable, SecondLock: RawLock & ~Copyable
>(
  _ first: GuardedValue<First, FirstLock>, _ second: GuardedValue<Second, SecondLock>,
  waitingUntil predicate: (borrowing First, borrowing Second) -> Bool,
  until deadline: Deadline, isolation: isolated (any Actor)? = #isolation
) async throws {
  try await acquireTogether(
    until: deadline, acquire: { acquireBoth(first, second, until: $0) },
    isSatisfied: { unsafe predicate(first.data, second.data) },
    observe: {
      first.observe($0)
      second.observe($0)
    },
    giveUp: {
      first.endTogether()
      second.endTogether()
    })
}

// MARK: - Any number of protectors

/// Runs `body` with the values of several protectors as soon as `predicate` holds for all; sleeps until then.
///
/// ```swift
/// withWriteLocks([left, right], waitingUntil: { $0 == [.free, .free] }) { forks in
///   forks = [.taken, .taken]
/// }
/// ```
///
/// It waits, blocks and traps as `withWriteLocks(_:_:waitingUntil:_:)` for two protectors does. With an empty array it
/// traps where it would wait, because no write could end that.
///
/// - Parameters:
///   - protectors: The protectors, in any order.
///   - predicate: Whether `body` may run, for the values in the order of their protectors. See the form for two
///     protectors.
///   - body: Reads or changes the values; see `withWriteLocks(_:_:)`.
/// - Returns: The result of `body`.
/// - Throws: The error of `body`. Changes that `body` has already made are kept.
@available(*, noasync, message: "it blocks the thread; await the asynchronous form")
@_alwaysEmitIntoClient
public func withWriteLocks<
  Value: Sendable, Lock: RawLock & ~Copyable, Guarded: GuardedValue<Value, Lock>, R: ~Copyable, E: Error
>(
  _ protectors: [Guarded], waitingUntil predicate: ([Value]) -> Bool,
  _ body: (inout [Value]) throws(E) -> sending R
) throws(E) -> sending R {
  let order = lockOrder(of: protectors)
  _ = beginAll(protectors, order, waitingUntil: predicate, until: .never)
  return try finishAll(protectors, order, afterWaiting: true, body)
}

/// Runs `body` with the values of several protectors as soon as `predicate` holds for all, unless
/// `timeout` passes first.
///
/// It waits, blocks and traps as the form for two protectors does. With an empty array it traps where it would wait.
///
/// - Parameters:
///   - protectors: The protectors, in any order.
///   - predicate: Whether `body` may run, for the values in the order of their protectors.
///   - timeout: The maximum time to wait; see the form for two protectors.
///   - body: Reads or changes the values; see `withWriteLocks(_:_:)`.
/// - Returns: The result of `body`.
/// - Throws: `TimeoutError` instead of running `body`, if the timeout passes first. The error of `body`: changes that
///   `body` has already made are kept.
@available(*, noasync, message: "it blocks the thread; await the asynchronous form")
@_alwaysEmitIntoClient
public func withWriteLocks<
  Value: Sendable, Lock: RawLock & ~Copyable, Guarded: GuardedValue<Value, Lock>, R: ~Copyable, E: Error
>(
  _ protectors: [Guarded], waitingUntil predicate: ([Value]) -> Bool,
  timeout: Duration?,
  _ body: (inout [Value]) throws(E) -> sending R
) throws -> sending R {
  let limit = WaitLimit(timeout, for: Primitive(.severalProtectors))
  let order = lockOrder(of: protectors)
  guard beginAll(protectors, order, waitingUntil: predicate, until: limit.deadline) else {
    throw timeoutOfSeveralPassed()
  }
  return try finishAll(protectors, order, afterWaiting: true, body)
}

/// Runs `body` with the values of several protectors as soon as `predicate` holds for all; suspends the task until
/// then.
///
/// It waits, gives up and traps as the asynchronous form for two protectors does. With an empty array it traps where
/// it would wait.
///
/// - Parameters:
///   - protectors: The protectors, in any order.
///   - predicate: Whether `body` may run, for the values in the order of their protectors.
///   - timeout: The maximum time to wait; see the form for two protectors.
///   - isolation: The caller's isolation.
///   - body: Reads or changes the values, without a suspension; see `withWriteLocks(_:_:)`.
/// - Returns: The result of `body`.
/// - Throws: `TimeoutError` or `CancellationError` instead of running `body`, if the timeout passes or the task is
///   cancelled first. The error of `body`: changes that `body` has already made are kept.
@_alwaysEmitIntoClient
public func withWriteLocks<
  Value: Sendable, Lock: RawLock & ~Copyable, Guarded: GuardedValue<Value, Lock>, R: ~Copyable, E: Error
>(
  _ protectors: [Guarded], waitingUntil predicate: ([Value]) -> Bool,
  timeout: Duration? = nil,
  isolation: isolated (any Actor)? = #isolation,
  _ body: (inout [Value]) throws(E) -> sending R
) async throws -> sending R {
  let limit = WaitLimit(timeout, for: Primitive(.severalProtectors))
  let order = lockOrder(of: protectors)
  try await beginAll(protectors, order, waitingUntil: predicate, until: limit.deadline)
  return try finishAll(protectors, order, afterWaiting: true, body)
}

@_alwaysEmitIntoClient
func beginAll<Value: Sendable, Lock: RawLock & ~Copyable, Guarded: GuardedValue<Value, Lock>>(
  _ protectors: [Guarded], _ order: [Int], waitingUntil predicate: ([Value]) -> Bool,
  until deadline: Deadline
) -> Bool {
  acquireTogether(
    until: deadline, acquire: { acquireAll(protectors, order, until: $0) },
    isSatisfied: { predicate(protectors.map { unsafe $0.data }) },
    observe: { wait in order.forEach { protectors[$0].observe(wait) } },
    giveUp: { order.reversed().forEach { protectors[$0].endTogether() } })
}

@_alwaysEmitIntoClient
func beginAll<
  Value: Sendable, Lock: RawLock & ~Copyable, Guarded: GuardedValue<Value, Lock>
>(
  _ protectors: [Guarded], _ order: [Int], waitingUntil predicate: ([Value]) -> Bool,
  until deadline: Deadline, isolation: isolated (any Actor)? = #isolation
) async throws {
  try await acquireTogether(
    until: deadline, acquire: { acquireAll(protectors, order, until: $0) },
    isSatisfied: { predicate(protectors.map { unsafe $0.data }) },
    observe: { wait in order.forEach { protectors[$0].observe(wait) } },
    giveUp: { order.reversed().forEach { protectors[$0].endTogether() } })
}
