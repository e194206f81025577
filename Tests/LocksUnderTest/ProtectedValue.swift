/// A protector whose type does not mention its lock's type, so that one test can run with every lock.
package protocol ProtectedValue<Value>: Sendable {
  associatedtype Value: Sendable

  func withReadLock<R: ~Copyable, E: Error>(
    _ body: (borrowing Value) throws(E) -> sending R
  ) throws(E) -> sending R

  func withWriteLock<R: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R

  func exchange(_ new: Value) -> Value
}

/// A protector whose lock can acquire and release, so that threads can wait for predicates.
package protocol WaitableValue<Value>: ProtectedValue {
  func withReadLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool, timeout: Duration?,
    _ body: (borrowing Value) throws(E) -> sending R
  ) throws(E) -> sending R?

  func withWriteLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool, timeout: Duration?,
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R?
}
