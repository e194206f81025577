#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// A value behind a `pthread_mutex_t` with its condition variable: how threads wait between rounds.
///
/// The system's own primitives and none of the measured ones, so that a mistake in a lock can't stop the harness.
final class Monitor<Value>: @unchecked Sendable {
  // Sendable: `value` is touched only while `mutex` is held.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  private var value: Value

  init(_ value: sending Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    changed = .allocate(capacity: 1)
    changed.initialize(to: pthread_cond_t())
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_cond_destroy(changed)
    changed.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Changes the value and lets the threads that wait look at it again.
  func update(_ body: (inout Value) -> Void) {
    pthread_mutex_lock(mutex)
    body(&value)
    pthread_cond_broadcast(changed)
    pthread_mutex_unlock(mutex)
  }

  /// Sleeps until `take` finds in the value what it looks for.
  func wait<Result>(until take: (inout Value) -> Result?) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = take(&value) { return result }
      pthread_cond_wait(changed, mutex)
    }
  }
}
