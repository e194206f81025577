// For functions that pass on a body of their own caller, as the wrappers in many packages do:
//
//     func withLock<T>(_ body: () throws -> T) rethrows -> T { try lock.withWriteLock(body) }
//
// Such a body does not promise a `sending` result, which the other functions require. The results of these
// functions stay in the caller's isolation instead. A closure that is written at the call prefers the other
// functions.

extension ReadWriteLock where Self: ~Copyable {
  /// Runs `body`, a function that was passed to the caller, while no thread writes.
  ///
  /// Acts as the form for closures, but the result can't be sent to other tasks unless it is `Sendable`.
  ///
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`; the lock is released first.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  @inline(always)
  public borrowing func withReadLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    try withReadLock { () throws(E) in
      // Sound: the result goes back to the isolation of the caller, where it came from.
      nonisolated(unsafe) let result = try body()
      return unsafe result
    }
  }

  /// Runs `body`, a function that was passed to the caller, while no other thread reads or writes.
  ///
  /// Acts as the form for closures, but the result can't be sent to other tasks unless it is `Sendable`.
  ///
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`; the lock is released first.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  @inline(always)
  public borrowing func withWriteLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    try withWriteLock { () throws(E) in
      // Sound: the result goes back to the isolation of the caller, where it came from.
      nonisolated(unsafe) let result = try body()
      return unsafe result
    }
  }
}
