// For functions that pass on a body of their own caller, as the wrappers in many packages do:
//
//     func withLock<T>(_ body: () throws -> T) rethrows -> T { try lock.withLock(body) }
//
// Such a body does not promise a `sending` result, which the other functions require. The result stays in the
// caller's isolation instead. A closure that is written at the call prefers the other functions.

extension UnfairLock {
  /// Runs `body`, a function that was passed to the caller, while holding the lock.
  ///
  /// Acts as the form for closures, but the result can't be sent to other tasks unless it is `Sendable`.
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
