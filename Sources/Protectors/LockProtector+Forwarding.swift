// Overloads for functions whose own parameter is the body, such as the wrappers in many packages:
//
//     func withLockedValue<T>(_ body: (inout Value) throws -> T) rethrows -> T {
//       try protector.withLock(body)
//     }
//
// The overloads for closures require that `body` does not let the value escape into its captures, and that
// its result is `sending`. The type of such a parameter promises neither. A `Sendable` value may escape, so
// the overloads here do not need the first promise. In place of the second one, the result stays in the
// caller's isolation. For a closure literal the compiler prefers the overloads for closures.

extension LockProtector where Value: Sendable & ~Copyable, Lock: ~Copyable {
  /// Runs `body`, a function that was passed to the caller, with the value in a read section.
  ///
  /// It blocks and traps as the overload for closures does. The result can be sent to other tasks only if it
  /// is `Sendable`.
  ///
  /// - Parameter body: Reads the value.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  @inline(always)
  public func withReadLock<R, E: Error>(_ body: (borrowing Value) throws(E) -> R) throws(E) -> R {
    try withReadLock { value throws(E) in
      // Sound: `body` and its result stay in the caller's isolation. `Value` is `Sendable`, so the result may
      // share state with it.
      nonisolated(unsafe) let result = try body(value)
      return unsafe result
    }
  }

  /// Runs `body`, a function that was passed to the caller, with the value, while no other thread reads or
  /// writes it.
  ///
  /// It blocks and traps as the overload for closures does. The result can be sent to other tasks only if it
  /// is `Sendable`.
  ///
  /// - Parameter body: Reads or changes the value.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  @inline(always)
  public func withWriteLock<R, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
    try withWriteLock { value throws(E) in
      // Sound: `body` and its result stay in the caller's isolation. `Value` is `Sendable`, so the result may
      // share state with it.
      nonisolated(unsafe) let result = try body(&value)
      return unsafe result
    }
  }
}

extension ExclusiveProtector where Value: Sendable & ~Copyable {
  /// Runs `body`, a function that was passed to the caller, with the value, while no other thread reads or
  /// writes it.
  ///
  /// It blocks and traps as the overload for closures does. The result can be sent to other tasks only if it
  /// is `Sendable`.
  ///
  /// - Parameter body: Reads or changes the value.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  @inline(always)
  public func withLock<R, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
    try withLock { value throws(E) in
      // Sound: as above.
      nonisolated(unsafe) let result = try body(&value)
      return unsafe result
    }
  }
}
