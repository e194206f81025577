/// A lock that many readers can hold together, or one writer alone.
///
/// There is no `lock()` and `unlock()`: access is a closure, and the lock is released when it ends, however it ends.
/// Both functions return what the closure returns, throw what it throws, and work with noncopyable results.
///
/// What an implementation promises beyond that (fairness, size, which recursion it traps, which deadlocks it permits)
/// is said in its own documentation.
///
/// # Safety of a conformance
/// Using a lock is safe. Writing one is not: protectors give access to their value for as long as a closure runs, and rely on the lock
/// to keep other threads out. A conformance that breaks one of these rules corrupts memory, without `unsafe` in any other place:
///
/// 1. **Exclusion**: while the body of `withWriteLock` runs, no other body of the same lock runs on any thread, including the
///    calling one. Bodies of `withReadLock` may run together.
/// 2. **Visibility**: what a body wrote is visible to each body that runs after it. An acquire and a release, as in `Atomic`, do that.
/// 3. **Once**: each call runs its body at most once, before it returns, on the calling thread or one that stands in for it.
///    The untimed functions run it exactly once, or never return.
/// 4. **`nil`** from the timed functions means that the body did not run, and that the timeout has passed or was zero.
/// 5. **Any end counts**: when a body throws, the lock is released as when it returns.
///
/// The requirement `unsafePromiseOfExclusion()` does nothing. Writing it is how an author says that these rules are kept.
public protocol ReadWriteLock: ~Copyable, Sendable {
  /// The author's promise that the type keeps the rules of `ReadWriteLock`, on which memory safety depends.
  ///
  /// It does nothing and is never called: a conformance writes it, with an empty body, and the reason why the rules are kept
  /// beside it.
  @unsafe static func unsafePromiseOfExclusion()

  /// Runs `body` while no thread writes; other readers may run at the same time.
  ///
  /// It waits for as long as a writer holds the lock.
  ///
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; the lock is released first.
  borrowing func withReadLock<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R

  /// Runs `body` while no other thread reads or writes.
  ///
  /// It waits for as long as any other thread holds the lock.
  ///
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; the lock is released first.
  borrowing func withWriteLock<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R
}

/// A read/write lock whose waits can be limited.
///
/// Conforming to it is as unsafe as to `ReadWriteLock`, whose rules the timed functions have to keep, too.
public protocol TimedReadWriteLock: ReadWriteLock, ~Copyable {
  /// Runs `body` in a read section, if one can be entered within `timeout`.
  ///
  /// - Parameters:
  ///   - timeout: How long to wait at most, on the monotonic clock. `.zero` tries once; a negative one traps; one that
  ///     the clock can't represent waits for ever.
  ///   - body: What to run in the section; its own time does not count.
  /// - Returns: What `body` returns; `nil` when the time passed first and `body` was not run.
  /// - Throws: What `body` throws; the lock is released first.
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
  /// - Throws: What `body` throws; the lock is released first.
  borrowing func withWriteLock<R: ~Copyable, E: Error>(
    timeout: Duration, _ body: () throws(E) -> sending R
  ) throws(E) -> sending R?
}

extension TimedReadWriteLock where Self: ~Copyable {
  /// Runs `body` in a read section, if one can be entered without waiting.
  ///
  /// The lock counts as held by a writer also while it is being handed to a writer that waits, and while a writer tries to
  /// acquire it.
  ///
  /// - Returns: What `body` returns; `nil` when the lock can't be had now and `body` was not run.
  /// - Throws: What `body` throws; the lock is released first.
  @inlinable
  public borrowing func withReadLockIfAvailable<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R? {
    try withReadLock(timeout: .zero, body)
  }

  /// Runs `body` in a write section, if it can be entered without waiting.
  ///
  /// The lock counts as held also while it is being handed to readers that wait, and while a reader tries to acquire it.
  ///
  /// - Returns: What `body` returns; `nil` when the lock can't be had now and `body` was not run.
  /// - Throws: What `body` throws; the lock is released first.
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
  /// - Throws: What `body` throws; the lock is released first.
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
  /// - Throws: What `body` throws; the lock is released first.
  @inlinable
  public borrowing func withWriteLockIfAvailable<E: Error>(_ body: () throws(E) -> Void) throws(E) -> Bool {
    let done: Void? = try withWriteLock(timeout: .zero) { () throws(E) in try body() }
    return done != nil
  }
}
