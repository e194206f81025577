// Making a read/write lock of a lock without readers, unpromised.
//
// If a body ran without the lock, protectors would still rely on it, and memory would be corrupted. The promise of the lock's own
// protocol must not stand for this one's.

import ReadWriteLocks
import UnfairLocks

extension UnfairLock: @retroactive ReadWriteLock {
  // error: type 'UnfairLock' does not conform to protocol 'ReadWriteLock'
  #if !WRONG
    /// Promises that this conformance keeps the rules.
    @unsafe public static func unsafePromiseOfExclusion() {
      // Kept by the lock: readers exclude one another, too.
    }
  #endif

  /// Runs `body` alone.
  public borrowing func withReadLock<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R {
    try withLock(body)
  }

  /// Runs `body` alone.
  public borrowing func withWriteLock<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R {
    try withLock(body)
  }
}
