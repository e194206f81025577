public import UnfairLocks

// The overloads for bodies that return nothing return whether the body ran.

/// Runs `body` with the values of two protectors as soon as `predicate` holds for both, if that happens within
/// `timeout`.
///
/// This overload is for a body that returns nothing.
///
/// - Parameters:
///   - first: A protector.
///   - second: Another protector, which may be of another type.
///   - predicate: Whether `body` may run; see the overload for bodies with a result.
///   - timeout: The maximum time to wait, on the monotonic clock; `nil` waits forever. A negative timeout traps.
///   - body: Reads or changes the values. The timeout does not limit how long it runs.
/// - Returns: Whether `body` was run; `false` if the timeout passed first.
/// - Throws: The error of `body`. Changes that `body` has already made are kept.
@available(*, noasync, message: "it blocks the thread; await the form whose result is optional")
@_alwaysEmitIntoClient
public func withWriteLocks<
  First: Sendable & ~Copyable, FirstLock: RawLock & ~Copyable,
  Second: Sendable & ~Copyable, SecondLock: RawLock & ~Copyable,
  E: Error
>(
  _ first: GuardedValue<First, FirstLock>, _ second: GuardedValue<Second, SecondLock>,
  waitingUntil predicate: (borrowing First, borrowing Second) -> Bool,
  timeout: Duration? = nil,
  _ body: (inout sending First, inout sending Second) throws(E) -> Void
) throws(E) -> Bool {
  let done: Void? = try withWriteLocks(first, second, waitingUntil: predicate, timeout: timeout) {
    first, second throws(E) in try body(&first, &second)
  }
  return done != nil
}

/// Runs `body` with the values of two protectors as soon as `predicate` holds for both; suspends the task until
/// then.
///
/// This overload is for a body that returns nothing.
///
/// - Parameters:
///   - first: A protector.
///   - second: Another protector, which may be of another type.
///   - predicate: Whether `body` may run; see the overload for bodies with a result.
///   - timeout: The maximum time to wait, on the monotonic clock; `nil` waits forever. A negative timeout traps.
///   - isolation: The caller's isolation.
///   - body: Reads or changes the values. The timeout does not limit how long it runs.
/// - Returns: Whether `body` was run; `false` when the task was cancelled or the timeout passed first.
/// - Throws: The error of `body`. Changes that `body` has already made are kept.
@_alwaysEmitIntoClient
public func withWriteLocks<
  First: Sendable & ~Copyable, FirstLock: RawLock & ~Copyable,
  Second: Sendable & ~Copyable, SecondLock: RawLock & ~Copyable,
  E: Error
>(
  _ first: GuardedValue<First, FirstLock>, _ second: GuardedValue<Second, SecondLock>,
  waitingUntil predicate: (borrowing First, borrowing Second) -> Bool,
  timeout: Duration? = nil,
  isolation: isolated (any Actor)? = #isolation,
  _ body: (inout sending First, inout sending Second) throws(E) -> Void
) async throws(E) -> Bool {
  let done: Void? = try await withWriteLocks(first, second, waitingUntil: predicate, timeout: timeout) {
    first, second throws(E) in try body(&first, &second)
  }
  return done != nil
}

/// Runs `body` with the values of several protectors as soon as `predicate` holds for all, if that happens within
/// `timeout`.
///
/// This overload is for a body that returns nothing.
///
/// - Parameters:
///   - protectors: The protectors, in any order.
///   - predicate: Whether `body` may run; see the overload for bodies with a result.
///   - timeout: The maximum time to wait, on the monotonic clock; `nil` waits forever. A negative timeout traps.
///   - body: Reads or changes the values. The timeout does not limit how long it runs.
/// - Returns: Whether `body` was run; `false` if the timeout passed first.
/// - Throws: The error of `body`. Changes that `body` has already made are kept.
@available(*, noasync, message: "it blocks the thread; await the form whose result is optional")
@_alwaysEmitIntoClient
public func withWriteLocks<
  Value: Sendable, Lock: RawLock & ~Copyable, Guarded: GuardedValue<Value, Lock>, E: Error
>(
  _ protectors: [Guarded], waitingUntil predicate: ([Value]) -> Bool,
  timeout: Duration? = nil,
  _ body: (inout [Value]) throws(E) -> Void
) throws(E) -> Bool {
  let done: Void? = try withWriteLocks(protectors, waitingUntil: predicate, timeout: timeout) {
    values throws(E) in try body(&values)
  }
  return done != nil
}

/// Runs `body` with the values of several protectors as soon as `predicate` holds for all; suspends the task until
/// then.
///
/// This overload is for a body that returns nothing.
///
/// - Parameters:
///   - protectors: The protectors, in any order.
///   - predicate: Whether `body` may run; see the overload for bodies with a result.
///   - timeout: The maximum time to wait, on the monotonic clock; `nil` waits forever. A negative timeout traps.
///   - isolation: The caller's isolation.
///   - body: Reads or changes the values. The timeout does not limit how long it runs.
/// - Returns: Whether `body` was run; `false` when the task was cancelled or the timeout passed first.
/// - Throws: The error of `body`. Changes that `body` has already made are kept.
@_alwaysEmitIntoClient
public func withWriteLocks<
  Value: Sendable, Lock: RawLock & ~Copyable, Guarded: GuardedValue<Value, Lock>, E: Error
>(
  _ protectors: [Guarded], waitingUntil predicate: ([Value]) -> Bool,
  timeout: Duration? = nil,
  isolation: isolated (any Actor)? = #isolation,
  _ body: (inout [Value]) throws(E) -> Void
) async throws(E) -> Bool {
  let done: Void? = try await withWriteLocks(protectors, waitingUntil: predicate, timeout: timeout) {
    values throws(E) in try body(&values)
  }
  return done != nil
}
