public import PlatformLocks

// Inside the package only: an accessor that yields can't do so from a closure.

extension UnfairLock {
  /// Acquires the lock, which the caller releases with `endAccess` whatever happens.
  @inlinable
  @inline(__always)
  package borrowing func beginAccess(for user: UnfairLockUser) {
    core.lock(for: user)
  }

  /// Acquires the lock, if it can be acquired within `timeout`; returns whether it was.
  @inlinable
  @inline(__always)
  package borrowing func beginAccess(timeout: Timeout, for user: UnfairLockUser) -> Bool {
    core.lock(timeout: timeout, for: user)
  }

  /// Releases the lock, and traps on a thread that does not hold it.
  @inlinable
  @inline(__always)
  package borrowing func endAccess(for user: UnfairLockUser) {
    core.unlock(for: user)
  }

  /// Whether the calling thread holds the lock.
  @inlinable
  package var isHeldByCurrentThread: Bool { core.isHeldByCurrentThread }
}
