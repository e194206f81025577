// Handing a value in. A section can't take what its closure captures, because the closure might run twice as far as the
// compiler knows; it can take what it is given as an argument.

extension LockProtector where Value: ~Copyable, Lock: ~Copyable {
  /// Runs `body` with the protected value and with `sent`, while nobody else reads or writes the protected one.
  ///
  /// This is how a part that is not `Sendable` comes into the protected value: an object, a closure, a noncopyable
  /// value. (`withWriteLock(_:)` refuses to store what its closure captures.)
  ///
  /// ```swift
  /// handlers.withWriteLock(sending: makeHandler()) { handlers, handler in handlers.append(handler) }
  /// ```
  ///
  /// It waits while another thread is in a section, and traps inside a write section of the same protector.
  ///
  /// - Parameters:
  ///   - sent: What to hand in; nobody else may keep a reference into it, which the compiler checks in Swift 6 mode.
  ///   - body: What to do with the value and with `sent`, which belongs to it.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; changes that it made before stay.
  /// - Complexity: That of the lock, plus one load.
  @inlinable
  public func withWriteLock<Sent: ~Copyable, R: ~Copyable, E: Error>(
    sending sent: consuming sending Sent,
    _ body: (inout sending Value, consuming sending Sent) throws(E) -> sending R
  ) throws(E) -> sending R {
    var carried = CarriedValue<Sent>()
    carried.put(sent)
    return try withWriteLock { value throws(E) -> sending R in
      try body(&value, carried.take())
    }
  }

  /// Runs `body` with the protected value and with `sent` as soon as `predicate` holds; sleeps until then.
  ///
  /// A queue of bounded size for what is not `Sendable`, for instance:
  ///
  /// ```swift
  /// jobs.withWriteLock(waitingUntil: { $0.count < 10 }, sending: Job()) { jobs, job in jobs.append(job) }
  /// ```
  ///
  /// It waits, blocks and traps as `withWriteLock(waitingUntil:_:)` does. (There is no such form with a limit: the value
  /// would be lost when the time passes.)
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run; see `withWriteLock(waitingUntil:_:)`.
  ///   - sent: What to hand in; nobody else may keep a reference into it, which the compiler checks in Swift 6 mode.
  ///   - body: What to do with the value and with `sent`, which belongs to it.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; changes that it made before stay, and wake others.
  @inlinable
  public func withWriteLock<Sent: ~Copyable, R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    sending sent: consuming sending Sent,
    _ body: (inout sending Value, consuming sending Sent) throws(E) -> sending R
  ) throws(E) -> sending R {
    var carried = CarriedValue<Sent>()
    carried.put(sent)
    return try withWriteLock(waitingUntil: predicate) { value throws(E) -> sending R in
      try body(&value, carried.take())
    }
  }
}
