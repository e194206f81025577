#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// An integer behind a `pthread_rwlock_t` with default attributes; on glibc, such a lock prefers readers.
struct BehindPthreadReadWriteLock: GuardedInteger, ~Copyable, @unchecked Sendable {
  // `BehindPthreadReadWriteLock` is `@unchecked Sendable`, which is sound: the pointer never changes, and any
  // thread may use the lock.
  private let lock: UnsafeMutablePointer<pthread_rwlock_t>

  init() {
    lock = .allocate(capacity: 1)
    lock.initialize(to: pthread_rwlock_t())
    pthread_rwlock_init(lock, nil)
  }

  deinit {
    pthread_rwlock_destroy(lock)
    lock.deallocate()
  }

  @inline(__always)
  borrowing func read(_ integer: UnsafeMutablePointer<Int>, _ body: (Int) -> Int) -> Int {
    pthread_rwlock_rdlock(lock)
    defer { pthread_rwlock_unlock(lock) }
    return body(integer.pointee)
  }

  @inline(__always)
  borrowing func write(_ integer: UnsafeMutablePointer<Int>, _ body: (inout Int) -> Int) -> Int {
    pthread_rwlock_wrlock(lock)
    defer { pthread_rwlock_unlock(lock) }
    return body(&integer.pointee)
  }
}
