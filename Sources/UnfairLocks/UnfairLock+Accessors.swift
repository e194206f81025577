// Inside the package only: an accessor that yields can't do so from a closure.

extension UnfairLock {
  /// Takes the lock, which the caller lets go with `endAccess` whatever happens.
  @inlinable
  @inline(__always)
  package borrowing func beginAccess() {
    core.lock()
  }

  /// Lets the lock go.
  @inlinable
  @inline(__always)
  package borrowing func endAccess() {
    core.unlock()
  }

  /// Whether the calling thread holds the lock.
  @inlinable
  package var isHeldByCurrentThread: Bool { core.isHeldByCurrentThread }
}
