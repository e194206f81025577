/// A lock that many readers can hold together, or one writer alone.
///
/// There is no `lock()` and `unlock()`: access is a closure, and the lock is let go when it ends, however it ends.
/// Both functions return what the closure returns, throw what it throws, and work with noncopyable results.
///
/// What an implementation promises beyond that (fairness, size, which recursion it traps, which deadlocks it permits)
/// is said in its own documentation.
public protocol ReadWriteLock: ~Copyable, Sendable {
  /// Runs `body` while no thread writes; other readers may run at the same time.
  ///
  /// It waits for as long as a writer holds the lock.
  ///
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; the lock is let go first.
  borrowing func withReadLock<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R

  /// Runs `body` while no other thread reads or writes.
  ///
  /// It waits for as long as any other thread holds the lock.
  ///
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; the lock is let go first.
  borrowing func withWriteLock<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R
}

/// A read/write lock whose waits can be limited.
public protocol TimedReadWriteLock: ReadWriteLock, ~Copyable {
  /// Runs `body` in a read section, if one can be entered within `timeout`.
  ///
  /// - Parameters:
  ///   - timeout: How long to wait at most, on the monotonic clock. `.zero` tries once; a negative one traps; one that
  ///     the clock can't represent waits for ever.
  ///   - body: What to run in the section; its own time does not count.
  /// - Returns: What `body` returns; `nil` when the time passed first and `body` was not run.
  /// - Throws: What `body` throws; the lock is let go first.
  borrowing func withReadLock<R: ~Copyable, E: Error>(
    timeout: Duration, _ body: () throws(E) -> sending R
  ) throws(E) -> sending R?

  /// Runs `body` in a write section, if it can be entered within `timeout`.
  ///
  /// - Parameters:
  ///   - timeout: How long to wait at most, on the monotonic clock. `.zero` tries once; a negative one traps; one that
  ///     the clock can't represent waits for ever.
  ///   - body: What to run in the section; its own time does not count.
  /// - Returns: What `body` returns; `nil` when the time passed first and `body` was not run.
  /// - Throws: What `body` throws; the lock is let go first.
  borrowing func withWriteLock<R: ~Copyable, E: Error>(
    timeout: Duration, _ body: () throws(E) -> sending R
  ) throws(E) -> sending R?
}

extension TimedReadWriteLock where Self: ~Copyable {
  /// Runs `body` in a read section, if one can be entered without waiting.
  ///
  /// The lock counts as held by a writer also while it is being handed to a writer that waits.
  ///
  /// - Returns: What `body` returns; `nil` when the lock can't be had now and `body` was not run.
  /// - Throws: What `body` throws; the lock is let go first.
  @inlinable
  public borrowing func withReadLockIfAvailable<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R? {
    try withReadLock(timeout: .zero, body)
  }

  /// Runs `body` in a write section, if it can be entered without waiting.
  ///
  /// The lock counts as held also while it is being handed to readers that wait.
  ///
  /// - Returns: What `body` returns; `nil` when the lock can't be had now and `body` was not run.
  /// - Throws: What `body` throws; the lock is let go first.
  @inlinable
  public borrowing func withWriteLockIfAvailable<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R? {
    try withWriteLock(timeout: .zero, body)
  }
}

// Sections that may not run and return nothing: they return whether they ran. The generic forms would return `Void?`, which
// the compiler lets a caller ignore without a word.

extension TimedReadWriteLock where Self: ~Copyable {
  /// Runs `body` in a read section, if one can be entered without waiting.
  ///
  /// The form for a body that returns nothing.
  ///
  /// - Returns: Whether `body` was run; `false` when the lock can't be had now.
  /// - Throws: What `body` throws; the lock is let go first.
  @inlinable
  public borrowing func withReadLockIfAvailable<E: Error>(_ body: () throws(E) -> Void) throws(E) -> Bool {
    let done: Void? = try withReadLock(timeout: .zero) { () throws(E) in try body() }
    return done != nil
  }

  /// Runs `body` in a write section, if it can be entered without waiting.
  ///
  /// The form for a body that returns nothing.
  ///
  /// - Returns: Whether `body` was run; `false` when the lock can't be had now.
  /// - Throws: What `body` throws; the lock is let go first.
  @inlinable
  public borrowing func withWriteLockIfAvailable<E: Error>(_ body: () throws(E) -> Void) throws(E) -> Bool {
    let done: Void? = try withWriteLock(timeout: .zero) { () throws(E) in try body() }
    return done != nil
  }
}
