public import PlatformLocks

// Functions for property accessors in this package. A `yield` in an accessor can't be inside a closure, so
// accessors need separate functions to acquire and to release.

extension UnfairLock {
  /// Acquires the lock.
  ///
  /// The caller must release it with `endAccess` on every path.
  @inlinable
  @inline(__always)
  package borrowing func beginAccess(for user: UnfairLockUser) {
    core.lock(for: user)
  }

  /// Acquires the lock if that is possible within `timeout`.
  ///
  /// Returns whether the lock was acquired.
  @inlinable
  @inline(__always)
  package borrowing func beginAccess(timeout: Timeout, for user: UnfairLockUser) -> Bool {
    core.lock(timeout: timeout, for: user)
  }

  /// Releases the lock.
  ///
  /// Traps on a thread that does not hold the lock.
  @inlinable
  @inline(__always)
  package borrowing func endAccess(for user: UnfairLockUser) {
    core.unlock(for: user)
  }

  /// Whether the calling thread holds the lock.
  @inlinable
  package var isHeldByCurrentThread: Bool { core.isHeldByCurrentThread }
}
