public import ReadWriteLocks

// Functions that move a value into a section. A closure can't consume a value that it captures, because the
// compiler can't know that the closure runs only once. It can consume an argument.

extension LockProtector where Value: ~Copyable, Lock: ~Copyable {
  /// Runs `body` with the protected value and with `sent`, while no other thread reads or writes the
  /// protected value.
  ///
  /// Use it to store something that is not `Sendable` in the protected value: an object, a closure, a
  /// noncopyable value. In `withWriteLock(_:)` the compiler refuses to store such a value if the closure
  /// captures it.
  ///
  /// ```swift
  /// handlers.withWriteLock(sending: makeHandler()) { handlers, handler in handlers.append(handler) }
  /// ```
  ///
  /// Blocks while another thread is in a section. Traps inside a write section of the same protector. Inside
  /// a read section it traps or deadlocks, as the lock's type documents.
  ///
  /// - Parameters:
  ///   - sent: A value that is moved into `body`. No other code may keep a reference into it, which the
  ///     compiler checks in Swift 6 mode.
  ///   - body: Reads or changes the value, and consumes `sent`.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  /// - Complexity: Same as the lock, plus one load to check whether threads wait.
  @_alwaysEmitIntoClient
  @inline(always)
  public func withWriteLock<Sent: ~Copyable, R: ~Copyable, E: Error>(
    sending sent: consuming sending Sent,
    _ body: (inout sending Value, consuming sending Sent) throws(E) -> sending R
  ) throws(E) -> sending R {
    // Sound: the caller has given up the value, and `body` runs only once.
    nonisolated(unsafe) var sent: Sent? = consume sent
    return try withWriteLock { value throws(E) -> sending R in
      nonisolated(unsafe) let taken = unsafe sent.take()!
      return try body(&value, unsafe taken)
    }
  }
}

extension LockProtector where Value: ~Copyable, Lock: RawReadWriteLock & ~Copyable {
  /// Runs `body` with the protected value and with `sent` as soon as `predicate` holds; sleeps until then.
  ///
  /// For example, a bounded queue of values that are not `Sendable`:
  ///
  /// ```swift
  /// jobs.withWriteLock(waitingUntil: { $0.count < 10 }, sending: Job()) { jobs, job in jobs.append(job) }
  /// ```
  ///
  /// It waits and traps as `withWriteLock(waitingUntil:_:)` does. There is no form with a timeout, because
  /// `sent` would be lost if the timeout passed.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run; see `withWriteLock(waitingUntil:_:)`.
  ///   - sent: A value that is moved into `body`. No other code may keep a reference into it, which the
  ///     compiler checks in Swift 6 mode.
  ///   - body: Reads or changes the value, and consumes `sent`.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept, and waiting threads are
  ///   notified of them.
  @available(
    *, noasync,
    message:
      "it blocks the thread; call it on a thread of your own; at the top level of main.swift, put that into a function that is not async"
  )
  @_alwaysEmitIntoClient
  @inline(always)
  public func withWriteLock<Sent: ~Copyable, R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    sending sent: consuming sending Sent,
    _ body: (inout sending Value, consuming sending Sent) throws(E) -> sending R
  ) throws(E) -> sending R {
    beginWriting(waitingUntil: predicate)
    return try finishWriting(sending: sent, body)
  }
}
