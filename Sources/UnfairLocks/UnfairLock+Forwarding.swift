// An overload for functions that pass on a body which their own caller gave them, such as the wrappers in
// many packages:
//
//     func withLock<T>(_ body: () throws -> T) rethrows -> T { try lock.withLock(body) }
//
// Such a body does not promise a `sending` result, which the other overloads of `withLock` require. The
// result therefore stays in the caller's isolation. For a closure literal the compiler prefers the other
// overloads.

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
