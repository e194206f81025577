internal import Protectors
internal import ReadWriteLocks

/// A value in a protector whose lock has timeouts.
///
/// `LockProtector` has overloads for such locks. `ValueBehindLock` can't call them, because its `Lock` need
/// not be a `TimedReadWriteLock`.
struct ValueBehindTimedLock<Value: Sendable, Lock: TimedReadWriteLock & ~Copyable>: ProtectedValue {
  private let protector: LockProtector<Value, Lock>

  init(_ value: Value, lock: consuming Lock) {
    protector = LockProtector(value, lock: lock)
  }

  package func withReadLock<R: ~Copyable, E: Error>(
    _ body: (borrowing Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    try protector.withReadLock(body)
  }

  package func withWriteLock<R: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    try protector.withWriteLock(body)
  }

  package func withWriteLockKeepingOldValue<R: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    try protector.withWriteLockKeepingOldValue(body)
  }

  package func exchange(_ new: Value) -> Value {
    protector.exchange(new)
  }

  package func withReadLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool, timeout: Duration?,
    _ body: (borrowing Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    try protector.withReadLock(waitingUntil: predicate, timeout: timeout, body)
  }

  package func withWriteLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool, timeout: Duration?,
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    try protector.withWriteLock(waitingUntil: predicate, timeout: timeout, body)
  }
}
