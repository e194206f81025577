public import ReadWriteLocks
public import UnfairLocks

// For functions that pass on a body of their own caller, as the wrappers in many packages do:
//
//     func withLockedValue<T>(_ body: (inout Value) throws -> T) rethrows -> T { try protector.withLock(body) }
//
// Such a body promises neither a `sending` result nor to keep the value apart from its captures, which the
// other functions require. A `Sendable` value needs no such promise, and the result stays in the caller's
// isolation. A closure that is written at the call prefers the other functions.

extension LockProtector where Value: Sendable & ~Copyable, Lock: ~Copyable {
  /// Runs `body`, a function that was passed to the caller, with the value in a read section.
  ///
  /// Acts as the form for closures, but the result can't be sent to other tasks unless it is `Sendable`.
  ///
  /// - Parameter body: Reads the value.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  @inline(always)
  public func withReadLock<R, E: Error>(_ body: (borrowing Value) throws(E) -> R) throws(E) -> R {
    try withReadLock { value throws(E) in
      // Sound: the result goes back to the isolation of the caller, where it came from.
      nonisolated(unsafe) let result = try body(value)
      return unsafe result
    }
  }

  /// Runs `body`, a function that was passed to the caller, with the value, while no other thread reads or
  /// writes it.
  ///
  /// Acts as the form for closures, but the result can't be sent to other tasks unless it is `Sendable`.
  ///
  /// - Parameter body: Reads or changes the value.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`; changes that it made before stay.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  @inline(always)
  public func withWriteLock<R, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
    try withWriteLock { value throws(E) in
      // Sound: the result goes back to the isolation of the caller, where it came from.
      nonisolated(unsafe) let result = try body(&value)
      return unsafe result
    }
  }
}

extension LockProtector where Value: Sendable & ~Copyable, Lock == UnfairLock {
  /// Runs `body`, a function that was passed to the caller, with the value, while no other thread reads or
  /// writes it.
  ///
  /// Acts as the form for closures, but the result can't be sent to other tasks unless it is `Sendable`.
  ///
  /// - Parameter body: Reads or changes the value.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`; changes that it made before stay.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  @inline(always)
  public func withLock<R, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
    try withWriteLock(body)
  }
}
