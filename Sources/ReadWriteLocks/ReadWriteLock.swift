/// A lock that many readers can hold together, or one writer alone.
///
/// There is no `lock()` and `unlock()`. Access is a closure, and the lock is released when the closure
/// returns or throws. `withReadLock` and `withWriteLock` return what the closure returns, and throw what it
/// throws. The result may be noncopyable.
///
/// Each implementation documents its fairness, its size, which recursion it traps, and which deadlocks it
/// permits.
///
/// A *read section* is one run of a body that is passed to `withReadLock`. A *write section* is one run of a
/// body that is passed to `withWriteLock`. Both are critical sections.
///
/// # Safety of a conformance
/// Using a lock is safe. Implementing one is not: protectors give access to their value while a closure runs,
/// and rely on the lock to keep other threads out. A conformance that breaks one of the following rules
/// corrupts memory, even if no other code is `unsafe`:
///
/// 1. **Exclusion**: while the body of `withWriteLock` runs, no other body of the same lock runs on any
///    thread, including the calling one. Bodies of `withReadLock` may run together.
/// 2. **Visibility**: the writes of a body are visible to each body that runs after it. An acquiring
///    operation before each body and a releasing one after it, as in `Atomic`, ensure this.
/// 3. **Once**: each call runs its body at most once, before it returns, on the calling thread or on a thread
///    that runs the body for it. The untimed functions run it exactly once, or never return.
/// 4. **`nil`** from the timed functions means that the body did not run, and that the timeout has passed or
///    was zero.
/// 5. **Errors**: when a body throws, the lock is released as when it returns.
///
/// The requirement `unsafePromiseOfExclusion()` does nothing. By implementing it, an author promises that the
/// conformance keeps these rules.
public protocol ReadWriteLock: ~Copyable, Sendable {
  /// The author's promise that the type keeps the rules of `ReadWriteLock`, on which memory safety depends.
  ///
  /// The function is never called. A conformance must implement it with an empty body. A comment in the body
  /// should say why the rules are kept.
  @unsafe static func unsafePromiseOfExclusion()

  /// Runs `body` while no thread writes; other readers may run at the same time.
  ///
  /// Blocks while a writer holds the lock. A call inside a section of the same lock can trap or deadlock, as
  /// the implementation documents.
  ///
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`; the lock is released first.
  borrowing func withReadLock<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R

  /// Runs `body` while no other thread reads or writes.
  ///
  /// Blocks while any other thread holds the lock. A call inside a section of the same lock traps or
  /// deadlocks, as the implementation documents.
  ///
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`; the lock is released first.
  borrowing func withWriteLock<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R
}

/// A read/write lock with timeouts.
///
/// The timed functions, too, must keep the rules of `ReadWriteLock`: memory safety depends on them.
public protocol TimedReadWriteLock: ReadWriteLock, ~Copyable {
  /// Runs `body` in a read section, if the lock can be acquired within `timeout`.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait, on the monotonic clock. `.zero` tries once. A negative timeout
  ///     traps. A timeout that the clock can't represent waits forever.
  ///   - body: Runs in the section. The timeout does not limit how long it runs.
  /// - Returns: The result of `body`; `nil` if the timeout passed first, in which case `body` was not run.
  /// - Throws: The error of `body`; the lock is released first.
  borrowing func withReadLock<R: ~Copyable, E: Error>(
    timeout: Duration, _ body: () throws(E) -> sending R
  ) throws(E) -> sending R?

  /// Runs `body` in a write section, if the lock can be acquired within `timeout`.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait, on the monotonic clock. `.zero` tries once. A negative timeout
  ///     traps. A timeout that the clock can't represent waits forever.
  ///   - body: Runs in the section. The timeout does not limit how long it runs.
  /// - Returns: The result of `body`; `nil` if the timeout passed first, in which case `body` was not run.
  /// - Throws: The error of `body`; the lock is released first.
  borrowing func withWriteLock<R: ~Copyable, E: Error>(
    timeout: Duration, _ body: () throws(E) -> sending R
  ) throws(E) -> sending R?
}

extension TimedReadWriteLock where Self: ~Copyable {
  /// Runs `body` in a read section, if the lock can be acquired without waiting.
  ///
  /// The call fails while a writer holds the lock, while the lock is being handed to a waiting writer, and
  /// while a writer tries to acquire it.
  ///
  /// - Returns: The result of `body`; `nil` if the lock was not available, in which case `body` was not run.
  /// - Throws: The error of `body`; the lock is released first.
  @_alwaysEmitIntoClient
  public borrowing func withReadLockIfAvailable<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R? {
    try withReadLock(timeout: .zero, body)
  }

  /// Runs `body` in a write section, if the lock can be acquired without waiting.
  ///
  /// The call fails while the lock is held, while it is being handed to waiting readers, and while a reader
  /// tries to acquire it.
  ///
  /// - Returns: The result of `body`; `nil` if the lock was not available, in which case `body` was not run.
  /// - Throws: The error of `body`; the lock is released first.
  @_alwaysEmitIntoClient
  public borrowing func withWriteLockIfAvailable<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R? {
    try withWriteLock(timeout: .zero, body)
  }
}

// The overloads below are for bodies that return nothing, and return whether the body ran. The generic
// functions would return `Void?`, and the compiler does not warn when a caller ignores such a result.

extension TimedReadWriteLock where Self: ~Copyable {
  /// Runs `body` in a read section, if the lock can be acquired without waiting.
  ///
  /// This overload is for a body that returns nothing.
  ///
  /// - Returns: Whether `body` was run; `false` if the lock was not available.
  /// - Throws: The error of `body`; the lock is released first.
  @_alwaysEmitIntoClient
  public borrowing func withReadLockIfAvailable<E: Error>(_ body: () throws(E) -> Void) throws(E) -> Bool {
    let done: Void? = try withReadLock(timeout: .zero) { () throws(E) in try body() }
    return done != nil
  }

  /// Runs `body` in a write section, if the lock can be acquired without waiting.
  ///
  /// This overload is for a body that returns nothing.
  ///
  /// - Returns: Whether `body` was run; `false` if the lock was not available.
  /// - Throws: The error of `body`; the lock is released first.
  @_alwaysEmitIntoClient
  public borrowing func withWriteLockIfAvailable<E: Error>(_ body: () throws(E) -> Void) throws(E) -> Bool {
    let done: Void? = try withWriteLock(timeout: .zero) { () throws(E) in try body() }
    return done != nil
  }
}
