import ReadWriteLocks

/// A lock, which may be noncopyable, as an object: what makes implementations of different types interchangeable.
final class BoxedLock<Lock: ReadWriteLock & ~Copyable>: ReadWriteLock {
  private let lock: Lock

  init(_ lock: consuming Lock) {
    self.lock = lock
  }

  func withReadLock<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R {
    try lock.withReadLock(body)
  }

  func withWriteLock<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R {
    try lock.withWriteLock(body)
  }
}

extension BoxedLock: TimedReadWriteLock where Lock: TimedReadWriteLock & ~Copyable {
  func withReadLock<R: ~Copyable, E: Error>(
    timeout: Duration, _ body: () throws(E) -> sending R
  ) throws(E) -> sending R? {
    try lock.withReadLock(timeout: timeout, body)
  }

  func withWriteLock<R: ~Copyable, E: Error>(
    timeout: Duration, _ body: () throws(E) -> sending R
  ) throws(E) -> sending R? {
    try lock.withWriteLock(timeout: timeout, body)
  }
}
