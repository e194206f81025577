internal import UnfairLocks

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
///
/// The result is `nil` if the call has thrown a `TimeoutError`.
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

/// Returns the result of `call`, whose body throws errors of type `E`; `nil` if `call` throws a `TimeoutError`.
func unlessTimedOut<R: ~Copyable, E: Error>(
  throwing: E.Type, _ call: () throws -> sending R
) throws(E) -> sending R? {
  do {
    return try call()
  } catch is TimeoutError {
    return nil
  } catch let error as E {
    throw error
  } catch {
    fatalError("threw \(error) instead of a TimeoutError")
  }
}
