// The functions of this file are for callers that pass on a body of their own caller, as wrappers do:
//
//     func withLock<T>(_ body: () throws -> T) rethrows -> T { try lock.withWriteLock(body) }
//
// Such a body does not promise a `sending` result, which the requirements of `ReadWriteLock` demand. The
// results of these functions stay in the caller's isolation instead. For a closure that is written at the
// call, the compiler prefers the requirements.

extension ReadWriteLock where Self: ~Copyable {
  /// Runs `body`, a function that was passed to the caller, while no thread writes.
  ///
  /// Blocks and traps as `withReadLock(_:)` does with a closure that is written at the call. The result can
  /// be sent to other tasks only if it is `Sendable`.
  ///
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`; the lock is released first.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  @inline(always)
  public borrowing func withReadLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    try withReadLock { () throws(E) in
      // Sound: the result returns to the caller's isolation, from which `body` came.
      nonisolated(unsafe) let result = try body()
      return unsafe result
    }
  }

  /// Runs `body`, a function that was passed to the caller, while no other thread reads or writes.
  ///
  /// Blocks and traps as `withWriteLock(_:)` does with a closure that is written at the call. The result can
  /// be sent to other tasks only if it is `Sendable`.
  ///
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`; the lock is released first.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  @inline(always)
  public borrowing func withWriteLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    try withWriteLock { () throws(E) in
      // Sound: the result returns to the caller's isolation, from which `body` came.
      nonisolated(unsafe) let result = try body()
      return unsafe result
    }
  }
}
