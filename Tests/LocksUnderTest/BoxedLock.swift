package import ReadWriteLocks

/// An object that contains a lock, which may be noncopyable.
///
/// As a class, the box can be stored as `any ReadWriteLock`, so tests can treat locks of different types
/// alike.
package final class BoxedLock<Lock: ReadWriteLock & ~Copyable>: ReadWriteLock {
  package let lock: Lock

  package init(_ lock: consuming Lock) {
    self.lock = lock
  }

  /// Promises that the type keeps the rules of `ReadWriteLock`; never called.
  @unsafe package static func unsafePromiseOfExclusion() {
    // Every call goes to the lock in the box, which keeps the rules of `ReadWriteLock`.
  }

  package func withReadLock<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R {
    try lock.withReadLock(body)
  }

  package func withWriteLock<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R {
    try lock.withWriteLock(body)
  }
}

extension BoxedLock: TimedReadWriteLock where Lock: TimedReadWriteLock & ~Copyable {
  package func withReadLock<R: ~Copyable, E: Error>(
    timeout: Duration, _ body: () throws(E) -> sending R
  ) throws(E) -> sending R? {
    try lock.withReadLock(timeout: timeout, body)
  }

  package func withWriteLock<R: ~Copyable, E: Error>(
    timeout: Duration, _ body: () throws(E) -> sending R
  ) throws(E) -> sending R? {
    try lock.withWriteLock(timeout: timeout, body)
  }
}
