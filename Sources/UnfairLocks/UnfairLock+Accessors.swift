public import DeadlockDetector
public import LockSupport

// Functions for property accessors in this package. A `yield` in an accessor can't be inside a closure, so
// accessors need separate functions to acquire and to release.

extension UnfairLock {
  /// Acquires the lock; traps if the calling thread holds it.
  ///
  /// The caller must release the lock with `endAccess` on every path.
  @_alwaysEmitIntoClient
  @_transparent
  package borrowing func beginAccess(for kind: PrimitiveKind) {
    node.willAcquire()
    core.lock(for: node.primitive(kind))
    node.didAcquire()
  }

  /// Acquires the lock if it is free, without waiting, and returns whether it did.
  ///
  /// If the result is `true`, the caller must release the lock with `endAccess`.
  @_alwaysEmitIntoClient
  @_transparent
  package borrowing func tryAccess() -> Bool {
    let isLocked = core.tryLock()
    if isLocked { node.didAcquireWithoutWaiting() }
    return isLocked
  }

  /// Acquires the lock if that is possible within `timeout`, and returns whether it did.
  ///
  /// If the result is `true`, the caller must release the lock with `endAccess`. Traps if the calling thread
  /// holds the lock and `timeout` is not zero.
  @_alwaysEmitIntoClient
  @_transparent
  package borrowing func beginAccess(timeout: Timeout, for kind: PrimitiveKind) -> Bool {
    let isLocked = core.lock(timeout: timeout, for: node.primitive(kind))
    if isLocked { node.didAcquireWithoutWaiting() }
    return isLocked
  }

  /// Releases the lock; traps if the calling thread does not hold it.
  @_alwaysEmitIntoClient
  @_transparent
  package borrowing func endAccess(for kind: PrimitiveKind) {
    node.didRelease()
    core.unlock(for: node.primitive(kind))
  }

  /// Whether the calling thread holds the lock.
  @_alwaysEmitIntoClient
  package var isHeldByCurrentThread: Bool { core.isHeldByCurrentThread }
}
