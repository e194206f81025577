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
///    operation before each body and a releasing one after it, as in `Atomic`, ensure this. For bodies that
///    return references and are not a protector's, end with an `exchange`: the compiler may move a retain
///    of the result behind a `store`.
/// 3. **Once**: each call runs its body at most once, before it returns, on the calling thread or on a thread
///    that runs the body for it. The untimed functions run it exactly once, or never return.
/// 4. **Errors**: when a body throws, the lock is released as when it returns.
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
