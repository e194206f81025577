// A custom lock that does not promise to exclude.
//
// If it does not exclude, nobody sees the mistake where the lock is used: protectors rely on it, and memory is corrupted. So a
// conformance has to promise, in a function with `unsafe` in its name, that it keeps the rules.

import ReadWriteLocks
import UnfairLocks

struct PlainLock: ~Copyable, ReadWriteLock {
  // error: type 'PlainLock' does not conform to protocol 'ReadWriteLock'
  private let lock = UnfairLock()

  #if !WRONG
    @unsafe static func unsafePromiseOfExclusion() {
      // Kept by the unfair lock.
    }
  #endif

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
