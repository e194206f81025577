// A custom lock that does not exclude.
//
// Nobody would see the mistake where the lock is used: protectors rely on it, and memory is corrupted. So a conformance has to
// promise, in a function with `unsafe` in its name, that it keeps the rules.

import ReadWriteLocks
#if !WRONG
  import UnfairLocks
#endif

#if WRONG
  struct NoLock: ~Copyable, ReadWriteLock {
    // error: type 'NoLock' does not conform to protocol 'ReadWriteLock'
    borrowing func withReadLock<R: ~Copyable, E: Error>(
      _ body: () throws(E) -> sending R
    ) throws(E) -> sending R {
      try body()
    }

    borrowing func withWriteLock<R: ~Copyable, E: Error>(
      _ body: () throws(E) -> sending R
    ) throws(E) -> sending R {
      try body()
    }
  }
#else
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
#endif
