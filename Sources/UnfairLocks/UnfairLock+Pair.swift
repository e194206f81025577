public import InterlockCore

extension UnfairLock {
  /// Acquires the lock, for an abstraction that can't use a closure.
  ///
  /// Prefer `withLock(_:)`, which always releases the lock. With `unsafeLock()` the compiler can't check that
  /// each path releases the lock. If a path does not, other threads that acquire the lock block forever.
  ///
  /// Blocks while another thread holds the lock. Traps when the calling thread holds it.
  ///
  /// - Important: The same thread must call `unsafeUnlock()`, on every path.
  /// - Complexity: O(1) when the lock is free: one compare-exchange.
  @available(*, noasync, message: "the thread that unlocks must be the one that locked; use withLock")
  @unsafe
  @_alwaysEmitIntoClient
  @inline(always)
  public borrowing func unsafeLock() {
    beginAccess(for: .unfairLock)
  }

  /// Releases the lock that `unsafeLock()` has acquired.
  ///
  /// Traps when the calling thread does not hold the lock.
  ///
  /// - Complexity: O(1) when no thread waits: one compare-exchange.
  @available(*, noasync, message: "the thread that unlocks must be the one that locked; use withLock")
  @unsafe
  @_alwaysEmitIntoClient
  @inline(always)
  public borrowing func unsafeUnlock() {
    endAccess(for: .unfairLock)
  }
}
