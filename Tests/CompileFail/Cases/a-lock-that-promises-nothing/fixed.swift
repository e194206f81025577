import ReadWriteLocks
import UnfairLocks

struct PlainLock: ~Copyable, ReadWriteLock {
  private let lock = UnfairLock()

  @unsafe static func unsafePromiseOfExclusion() {
    // Kept by the unfair lock.
  }

  borrowing func withReadLock<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R {
    try lock.withLock(body)
  }

  borrowing func withWriteLock<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R {
    try lock.withLock(body)
  }
}
