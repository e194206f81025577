public import InterlockCore
public import UnfairLocks

/// A value behind a mutual-exclusion lock: each section excludes all other threads.
///
/// ```swift
/// let scores = ExclusiveProtector(["Ann": 3])
///
/// scores.withLock { $0["Bob"] = 1 }
/// ```
///
/// Use it for values that are not `Sendable`, and for sections so short that concurrent readers would gain
/// nothing. There are no read sections: each function but `value` is what a write section is in a `Protector`.
/// `LockProtector` documents the rules for values, which are the same here, and a gap in the compiler's check.
///
/// - **Blocking, fairness, deadlocks**: those of `UnfairLock`. A section inside a section of the same
///   protector traps.
/// - **Waiting**: a section can wait until a predicate on the value holds, see `withLock(waitingUntil:_:)`.
/// - **Size**: one allocation, for 4 bytes of the lock, the value and 16 bytes for waiting. An access that does
///   not wait allocates nothing.
@_fixed_layout  // With library evolution, the inlinable initializer needs it.
// `@unchecked Sendable` is sound: see `GuardedValue`.
public final class ExclusiveProtector<Value: ~Copyable>:
  GuardedValue<Value, UnfairLock>, @unchecked Sendable
{
  /// Makes a protector with a value and a new lock.
  ///
  /// - Parameters:
  ///   - value: The value. No other code may keep a reference into it, which the compiler checks in Swift 6
  ///     mode.
  ///   - label: The protector's name in deadlock reports. Without the package trait `DeadlockDetection` it
  ///     costs nothing.
  ///   - file: The source file that makes the protector, for deadlock reports.
  ///   - line: The source line that makes the protector, for deadlock reports.
  @_alwaysEmitIntoClient
  public init(
    _ value: consuming sending Value, label: StaticString = "", file: StaticString = #fileID,
    line: UInt = #line
  ) {
    super.init(
      value, lock: UnfairLock(Primitive(.exclusiveProtector, label, file, line)),
      Primitive(.predicate, label, file, line))
  }
}

extension ExclusiveProtector where Value: ~Copyable {
  /// Runs `body` with the value, while no other thread reads or writes it.
  ///
  /// Blocks while another thread is in a section. Traps inside a section of the same protector.
  ///
  /// - Parameter body: Reads or changes the value. It may replace the value. The replaced value is destroyed
  ///   inside the section, unless `body` returns it (see `exchange(_:)`).
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  /// - Complexity: Same as the lock, plus one load when no thread waits for a predicate. Otherwise, plus at
  ///   most one evaluation of the predicate of each waiting thread.
  @_alwaysEmitIntoClient
  @inline(always)
  public func withLock<R: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    beginWriting()
    return try finishWriting(body)
  }

  /// Runs `body` with the value and with `sent`, while no other thread reads or writes the value.
  ///
  /// Use it to store something that is not `Sendable` in the value: an object, a closure, a noncopyable
  /// value. In `withLock(_:)` the compiler refuses to store such a value if the closure captures it.
  ///
  /// - Parameters:
  ///   - sent: A value that is moved into `body`. No other code may keep a reference into it, which the
  ///     compiler checks in Swift 6 mode.
  ///   - body: Reads or changes the value, and consumes `sent`.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  @_alwaysEmitIntoClient
  @inline(always)
  public func withLock<Sent: ~Copyable, R: ~Copyable, E: Error>(
    sending sent: consuming sending Sent,
    _ body: (inout sending Value, consuming sending Sent) throws(E) -> sending R
  ) throws(E) -> sending R {
    beginWriting()
    return try finishWriting(sending: sent, body)
  }

  /// Runs `body` with the value, unless `timeout` passes before the lock can be acquired.
  ///
  /// Blocks the calling thread for at most `timeout` while other threads hold the lock. There is no
  /// asynchronous form. Traps inside a section of the same protector when `timeout` is not zero.
  ///
  /// - **Wait**: it ends with the unlock; cancellation has no effect; `timeout` limits it; as an `UnfairLock`
  ///   serves threads; priority as with that lock; its throw leaves the value as it is.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait for the lock, on the monotonic clock. `.zero` tries once. A
  ///     negative timeout traps. A timeout that the clock can't represent waits forever.
  ///   - body: Reads or changes the value. The timeout does not limit how long it runs.
  /// - Returns: The result of `body`.
  /// - Throws: `TimeoutError` instead of running `body`, if the timeout passes first. The error of `body`: changes that
  ///   `body` has already made are kept.
  @_alwaysEmitIntoClient
  @inline(always)
  public func withLock<R: ~Copyable, E: Error>(
    timeout: Duration, _ body: (inout sending Value) throws(E) -> sending R
  ) throws -> sending R {
    try beginWriting(timeout: timeout)
    return try finishWriting(body)
  }

  /// Runs `body` with the value, if the lock can be acquired without waiting.
  ///
  /// Inside a section of the same protector it returns `nil`.
  ///
  /// - Parameter body: Reads or changes the value.
  /// - Returns: The result of `body`; `nil` when the lock is not available now and `body` was not run.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  @_alwaysEmitIntoClient
  @inline(always)
  public func withLockIfAvailable<R: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    guard beginWritingIfAvailable() else { return nil }
    return try finishWriting(body)
  }
}

// MARK: - Waiting for a predicate

extension ExclusiveProtector where Value: ~Copyable {
  /// Runs `body` with the value as soon as `predicate` holds; sleeps until then.
  ///
  /// No thread needs to signal: the end of each section of this protector finds the waiting threads whose
  /// predicates have become true. It blocks, orders threads and traps as `withWriteLock(waitingUntil:_:)` of
  /// `LockProtector` does. On Apple systems the lock can't be reserved for a thread, so that calls which don't wait
  /// overtake it however often.
  ///
  /// - **Wait**: it ends with a section that makes the predicate true; cancellation has no effect; no timeout;
  ///   threads in the order of their arrival, those that spin first; no priority is lent; a throw of `body` leaves
  ///   what it has changed.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run. It is evaluated under the lock on this thread, and after sections
  ///     also on the threads that ran them. So its captures must be `Sendable`. It must be quick, and must
  ///     depend only on the value.
  ///   - body: Reads or changes the value.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  @available(
    *, noasync,
    message:
      "it blocks the thread; await the asynchronous form, or call it on a thread of your own; at the top level of main.swift, put that into a function that is not async"
  )
  @_alwaysEmitIntoClient
  @inline(always)
  public func withLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    beginWriting(waitingUntil: predicate)
    return try finishWriting(body)
  }

  /// Runs `body` with the value and with `sent` as soon as `predicate` holds; sleeps until then.
  ///
  /// It waits as `withLock(waitingUntil:_:)` does. There is no form with a timeout, because `sent` would be lost
  /// if the timeout passed.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run; see `withLock(waitingUntil:_:)`.
  ///   - sent: A value that is moved into `body`. No other code may keep a reference into it, which the
  ///     compiler checks in Swift 6 mode.
  ///   - body: Reads or changes the value, and consumes `sent`.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  @available(
    *, noasync,
    message:
      "it blocks the thread; call it on a thread of your own; at the top level of main.swift, put that into a function that is not async"
  )
  @_alwaysEmitIntoClient
  @inline(always)
  public func withLock<Sent: ~Copyable, R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    sending sent: consuming sending Sent,
    _ body: (inout sending Value, consuming sending Sent) throws(E) -> sending R
  ) throws(E) -> sending R {
    beginWriting(waitingUntil: predicate)
    return try finishWriting(sending: sent, body)
  }

  /// Runs `body` with the value as soon as `predicate` holds, unless `timeout` passes first.
  ///
  /// It waits as `withLock(waitingUntil:_:)` does.
  ///
  /// - **Wait**: it ends with a section that makes the predicate true; cancellation has no effect; `timeout` limits
  ///   it; threads in the order of their arrival, those that spin first; no priority is lent; its throw leaves the
  ///   value as it is.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run; see `withLock(waitingUntil:_:)`.
  ///   - timeout: The maximum time to wait, for the lock and for the predicate, on the monotonic clock.
  ///     `.zero` checks once, and `nil` waits forever. A negative timeout traps.
  ///   - body: Reads or changes the value. The timeout does not limit how long it runs.
  /// - Returns: The result of `body`.
  /// - Throws: `TimeoutError` instead of running `body`, if the timeout passes first. The error of `body`: changes that
  ///   `body` has already made are kept.
  @available(
    *, noasync,
    message:
      "it blocks the thread; await the asynchronous form, or call it on a thread of your own; at the top level of main.swift, put that into a function that is not async"
  )
  @_alwaysEmitIntoClient
  @inline(always)
  public func withLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    timeout: Duration?,
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws -> sending R {
    try beginWriting(waitingUntil: predicate, timeout: timeout)
    return try finishWriting(body)
  }

  /// Runs `body` with the value as soon as `predicate` holds; suspends the task until then.
  ///
  /// The predicate is evaluated once under the lock. If it holds, `body` runs, even in a cancelled task, unless
  /// the call would overtake a task that may not be overtaken. Otherwise the task is suspended, and no thread is
  /// blocked. It blocks, orders tasks, gives up and traps as the asynchronous
  /// `withWriteLock(waitingUntil:timeout:_:)` of `LockProtector` does. If many tasks wait for one condition,
  /// pass a `WaitCondition`.
  ///
  /// - **Wait**: it ends with a section that makes the predicate true; a task that is cancelled before or while it
  ///   waits throws; `timeout` limits it; tasks in the order of their arrival; no priority is lent; its throw
  ///   leaves the value as it is.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run. It is evaluated under the lock, and after sections also on the
  ///     threads that ran them. So its captures must be `Sendable`. It must be quick, and must depend only on
  ///     the value.
  ///   - timeout: The maximum time to wait, on the monotonic clock. `.zero` checks once, and `nil` waits
  ///     forever. A negative timeout traps.
  ///   - isolation: The caller's isolation.
  ///   - body: Reads or changes the value, without a suspension. The timeout does not limit how long it runs.
  /// - Returns: The result of `body`.
  /// - Throws: `TimeoutError` or `CancellationError` instead of running `body`, if the timeout passes or the task is
  ///   cancelled first. The error of `body`: changes that `body` has already made are kept.
  @_alwaysEmitIntoClient
  @inline(always)
  public func withLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    timeout: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (inout sending Value) throws(E) -> sending R
  ) async throws -> sending R {
    try await write(waitingUntil: predicate, of: nil, timeout, body)
  }

  /// Runs `body` with the value as soon as `condition` holds; suspends the task until then.
  ///
  /// The same as the form with a closure, but a section evaluates a condition once for all tasks that wait for
  /// it. Tasks that wait for one condition are served in the order of their arrival.
  ///
  /// - Parameters:
  ///   - condition: A condition of this protector. One of another protector traps.
  ///   - timeout: The maximum time to wait; see the form with a closure.
  ///   - isolation: The caller's isolation.
  ///   - body: Reads or changes the value, without a suspension. The timeout does not limit how long it runs.
  /// - Returns: The result of `body`.
  /// - Throws: As the form with a closure.
  @_alwaysEmitIntoClient
  @inline(always)
  public func withLock<R: ~Copyable, E: Error>(
    waitingUntil condition: WaitCondition<Value>,
    timeout: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (inout sending Value) throws(E) -> sending R
  ) async throws -> sending R {
    try await write(waitingUntil: condition.isSatisfied, of: condition.group, timeout, body)
  }
}

// MARK: - Replacing

extension ExclusiveProtector where Value: ~Copyable {
  /// Replaces the value with `new` and returns the old value.
  ///
  /// The caller owns the old value. An ignored value is destroyed after the lock is released and waiting
  /// threads are notified, so its deinit may use the protector. In contrast, `withLock { $0 = new }` destroys
  /// the old value inside the section, where a deinit that acquires the same lock traps.
  ///
  /// Blocks while another thread is in a section. Traps inside a section of the same protector.
  ///
  /// - Parameter new: The new value.
  /// - Returns: The old value.
  /// - Complexity: Same as the lock, plus one load to check whether threads wait.
  @_alwaysEmitIntoClient
  @discardableResult
  public func exchange(_ new: consuming sending Value) -> sending Value {
    // Sound: the caller gives up the new value.
    nonisolated(unsafe) var new: Value? = consume new
    beginWriting()
    return runSection({ unsafe replace(with: &new) }, end: { endWriting() })
  }

  /// Replaces the value with the result of `makeNew`, and returns the old value.
  ///
  /// Use it when the new value depends on the old one. As with `exchange(_:)`, the caller owns the old value,
  /// which is destroyed after the lock is released.
  ///
  /// - Warning: `makeNew` must not return the reference that it gets. The compiler should refuse
  ///   `exchange(with: { $0 })`, but version 6.3 accepts it, also for a class that is not `Sendable`. The
  ///   caller and the protector then share the object.
  ///
  /// Blocks while another thread is in a section. Traps inside a section of the same protector.
  ///
  /// - Parameter makeNew: Makes the new value, in the section.
  /// - Returns: The old value.
  /// - Throws: The error of `makeNew`. In that case the value is not replaced.
  /// - Complexity: Same as the lock, plus one load to check whether threads wait.
  @_alwaysEmitIntoClient
  @discardableResult
  public func exchange<E: Error>(
    with makeNew: (inout sending Value) throws(E) -> sending Value
  ) throws(E) -> sending Value {
    beginWriting()
    return try runSection({ () throws(E) in try replace(with: makeNew) }, end: { endWriting() })
  }
}

extension ExclusiveProtector where Value: Sendable {
  /// A copy of the current value.
  ///
  /// Blocks and traps as `withLock(_:)` does, but wakes no waiting thread or task. The caller uses the copy outside
  /// the lock, so the copy may be out of date by then.
  ///
  /// - Complexity: That of a section, plus a copy.
  @_alwaysEmitIntoClient
  public var value: Value {
    ownLock.beginAccess(for: .exclusiveProtector)
    return ownLock.finishAccess(for: .exclusiveProtector) { unsafe data }
  }
}
