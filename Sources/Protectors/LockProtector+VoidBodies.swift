public import ReadWriteLocks

// Sections that may not run and return nothing: they return whether they ran. The generic forms would return `Void?`, which
// the compiler lets a caller ignore without a word.

extension LockProtector where Value: ~Copyable, Lock: ~Copyable {
  /// Runs `body` in a write section if `predicate` holds; never waits for it to hold.
  ///
  /// The form for a body that returns nothing.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` is to run; evaluated under the lock. It may capture only what is `Sendable`.
  ///   - body: What to do with the value.
  /// - Returns: Whether the predicate held, and `body` was run.
  /// - Throws: What `body` throws; changes that it made before stay.
  @inlinable
  public func withWriteLock<E: Error>(
    when predicate: @Sendable (borrowing Value) -> Bool,
    _ body: (inout sending Value) throws(E) -> Void
  ) throws(E) -> Bool {
    let done: Void? = try withWriteLock(when: predicate) { value throws(E) in try body(&value) }
    return done != nil
  }

  /// Runs `body` in a write section as soon as `predicate` holds, if that is so in time.
  ///
  /// The form for a body that returns nothing.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run.
  ///   - timeout: How long to wait at most, on the monotonic clock; `nil` waits for ever, a negative one traps.
  ///   - body: What to do with the value; its own time does not count.
  /// - Returns: Whether `body` was run; `false` when the time passed first.
  /// - Throws: What `body` throws; changes that it made before stay, and wake others.
  @inlinable
  public func withWriteLock<E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    timeout: Duration?,
    _ body: (inout sending Value) throws(E) -> Void
  ) throws(E) -> Bool {
    let done: Void? = try withWriteLock(waitingUntil: predicate, timeout: timeout) { value throws(E) in
      try body(&value)
    }
    return done != nil
  }
}

extension LockProtector where Value: Sendable & ~Copyable, Lock: ~Copyable {
  /// Runs `body` in a write section if `predicate` holds; never waits for it to hold.
  ///
  /// The form for a body that returns nothing.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` is to run; evaluated under the lock, up to twice, on this thread.
  ///   - body: What to do with the value.
  /// - Returns: Whether the predicate held, and `body` was run.
  /// - Throws: What `body` throws; changes that it made before stay.
  @inlinable
  public func withWriteLock<E: Error>(
    when predicate: (borrowing Value) -> Bool,
    _ body: (inout sending Value) throws(E) -> Void
  ) throws(E) -> Bool {
    let done: Void? = try withWriteLock(when: predicate) { value throws(E) in try body(&value) }
    return done != nil
  }

  /// Runs `body` in a read section as soon as `predicate` holds, if that is so in time.
  ///
  /// The form for a body that returns nothing.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run.
  ///   - timeout: How long to wait at most, on the monotonic clock; `nil` waits for ever, a negative one traps.
  ///   - body: What to do with the value; its own time does not count.
  /// - Returns: Whether `body` was run; `false` when the time passed first.
  /// - Throws: What `body` throws.
  @inlinable
  public func withReadLock<E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    timeout: Duration?,
    _ body: (borrowing Value) throws(E) -> Void
  ) throws(E) -> Bool {
    let done: Void? = try withReadLock(waitingUntil: predicate, timeout: timeout) { value throws(E) in
      try body(value)
    }
    return done != nil
  }
}

extension LockProtector where Value: ~Copyable, Lock: TimedReadWriteLock & ~Copyable {
  /// Runs `body` in a write section, if it can be entered within `timeout`.
  ///
  /// The form for a body that returns nothing.
  ///
  /// - Parameters:
  ///   - timeout: How long to wait for the lock at most, on the monotonic clock; a negative one traps.
  ///   - body: What to do with the value; its own time does not count.
  /// - Returns: Whether `body` was run; `false` when the time passed first.
  /// - Throws: What `body` throws; changes that it made before stay.
  @inlinable
  public func withWriteLock<E: Error>(
    timeout: Duration, _ body: (inout sending Value) throws(E) -> Void
  ) throws(E) -> Bool {
    let done: Void? = try withWriteLock(timeout: timeout) { value throws(E) in try body(&value) }
    return done != nil
  }

  /// Runs `body` in a write section, if it can be entered without waiting.
  ///
  /// The form for a body that returns nothing.
  ///
  /// - Parameter body: What to do with the value.
  /// - Returns: Whether `body` was run; `false` when the lock can't be had now.
  /// - Throws: What `body` throws; changes that it made before stay.
  @inlinable
  public func withWriteLockIfAvailable<E: Error>(
    _ body: (inout sending Value) throws(E) -> Void
  ) throws(E) -> Bool {
    let done: Void? = try withWriteLockIfAvailable { value throws(E) in try body(&value) }
    return done != nil
  }

  /// Runs `body` in a write section as soon as `predicate` holds, if that is so in time.
  ///
  /// The form for a body that returns nothing, and for locks whose own waits can be limited: `timeout` includes the first
  /// entry into the lock.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run.
  ///   - timeout: How long to wait at most, on the monotonic clock; `nil` waits for ever, a negative one traps.
  ///   - body: What to do with the value; its own time does not count.
  /// - Returns: Whether `body` was run; `false` when the time passed first.
  /// - Throws: What `body` throws; changes that it made before stay, and wake others.
  @inlinable
  public func withWriteLock<E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    timeout: Duration?,
    _ body: (inout sending Value) throws(E) -> Void
  ) throws(E) -> Bool {
    let done: Void? = try withWriteLock(waitingUntil: predicate, timeout: timeout) { value throws(E) in
      try body(&value)
    }
    return done != nil
  }
}

extension LockProtector where Value: Sendable & ~Copyable, Lock: TimedReadWriteLock & ~Copyable {
  /// Runs `body` in a read section, if one can be entered within `timeout`.
  ///
  /// The form for a body that returns nothing.
  ///
  /// - Parameters:
  ///   - timeout: How long to wait for the lock at most, on the monotonic clock; a negative one traps.
  ///   - body: What to do with the value; its own time does not count.
  /// - Returns: Whether `body` was run; `false` when the time passed first.
  /// - Throws: What `body` throws.
  @inlinable
  public func withReadLock<E: Error>(
    timeout: Duration, _ body: (borrowing Value) throws(E) -> Void
  ) throws(E) -> Bool {
    let done: Void? = try withReadLock(timeout: timeout) { value throws(E) in try body(value) }
    return done != nil
  }

  /// Runs `body` in a read section, if one can be entered without waiting.
  ///
  /// The form for a body that returns nothing.
  ///
  /// - Parameter body: What to do with the value.
  /// - Returns: Whether `body` was run; `false` when the lock can't be had now.
  /// - Throws: What `body` throws.
  @inlinable
  public func withReadLockIfAvailable<E: Error>(
    _ body: (borrowing Value) throws(E) -> Void
  ) throws(E) -> Bool {
    let done: Void? = try withReadLockIfAvailable { value throws(E) in try body(value) }
    return done != nil
  }

  /// Runs `body` in a read section as soon as `predicate` holds, if that is so in time.
  ///
  /// The form for a body that returns nothing, and for locks whose own waits can be limited: `timeout` includes the first
  /// entry into the lock.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` may run.
  ///   - timeout: How long to wait at most, on the monotonic clock; `nil` waits for ever, a negative one traps.
  ///   - body: What to do with the value; its own time does not count.
  /// - Returns: Whether `body` was run; `false` when the time passed first.
  /// - Throws: What `body` throws.
  @inlinable
  public func withReadLock<E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool,
    timeout: Duration?,
    _ body: (borrowing Value) throws(E) -> Void
  ) throws(E) -> Bool {
    let done: Void? = try withReadLock(waitingUntil: predicate, timeout: timeout) { value throws(E) in
      try body(value)
    }
    return done != nil
  }
}
