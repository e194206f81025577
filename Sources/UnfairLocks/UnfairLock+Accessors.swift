public import LockSupport

// Functions for property accessors in this package. A `yield` in an accessor can't be inside a closure, so
// accessors need separate functions to acquire and to release.

extension UnfairLock {
  /// Acquires the lock.
  ///
  /// The caller must release it with `endAccess` on every path.
  @inlinable
  @_transparent
  package borrowing func beginAccess(for user: UnfairLockUser) {
    #if DeadlockDetection
      node.willAcquire()
    #endif
    core.lock(for: user)
    #if DeadlockDetection
      node.didAcquire()
    #endif
  }

  /// Acquires the lock if it is free, without waiting, and returns whether it did.
  @inlinable
  @_transparent
  package borrowing func tryAccess() -> Bool {
    let isLocked = core.tryLock()
    #if DeadlockDetection
      if isLocked { node.didAcquireWithoutWaiting() }
    #endif
    return isLocked
  }

  /// Acquires the lock if that is possible within `timeout`.
  ///
  /// Returns whether the lock was acquired.
  @inlinable
  @_transparent
  package borrowing func beginAccess(timeout: Timeout, for user: UnfairLockUser) -> Bool {
    let isLocked = core.lock(timeout: timeout, for: user)
    #if DeadlockDetection
      if isLocked { node.didAcquireWithoutWaiting() }
    #endif
    return isLocked
  }

  /// Releases the lock.
  ///
  /// Traps on a thread that does not hold the lock.
  @inlinable
  @_transparent
  package borrowing func endAccess(for user: UnfairLockUser) {
    #if DeadlockDetection
      node.didRelease()
    #endif
    core.unlock(for: user)
  }

  /// Whether the calling thread holds the lock.
  @inlinable
  package var isHeldByCurrentThread: Bool { core.isHeldByCurrentThread }
}
