#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// An integer behind a `pthread_mutex_t` with default attributes.
struct BehindPthreadMutex: GuardedInteger, ~Copyable, @unchecked Sendable {
  // `BehindPthreadMutex` is `@unchecked Sendable`, which is sound: the pointer never changes, and any thread
  // may use the mutex.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  init() {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  @inline(__always)
  borrowing func read(_ integer: UnsafeMutablePointer<Int>, _ body: (Int) -> Int) -> Int {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(integer.pointee)
  }

  @inline(__always)
  borrowing func write(_ integer: UnsafeMutablePointer<Int>, _ body: (inout Int) -> Int) -> Int {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(&integer.pointee)
  }
}
