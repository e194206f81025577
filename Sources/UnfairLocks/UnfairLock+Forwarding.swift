// An overload for functions whose own parameter is the body, such as the wrappers in many packages:
//
//     func withLock<T>(_ body: () throws -> T) rethrows -> T { try lock.withLock(body) }
//
// The overloads for closures require that the result of the body is `sending`, which the type of such a
// parameter does not promise. Here the result stays in the caller's isolation instead. For a closure literal
// the compiler prefers the overloads for closures.

extension UnfairLock {
  /// Runs `body`, a function that was passed to the caller, while holding the lock.
  ///
  /// It blocks and traps as the overload for closures does. The result can be sent to other tasks only if it
  /// is `Sendable`.
  ///
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`; the lock is released first.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  @inline(always)
  public borrowing func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    var result: R?
    try withLock { () throws(E) in result = try body() }
    return result!
  }
}
