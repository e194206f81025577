#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// A value behind the system's own mutex, with its condition variable: what the test support itself stands on.
///
/// ThreadSanitizer knows these functions; a contended `Synchronization.Mutex` would give it false reports.
final class Monitor<Value>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  private let value: UnsafeMutablePointer<Value>

  init(_ value: sending Value) {
    self.value = .allocate(capacity: 1)
    self.value.initialize(to: value)
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
    value.deinitialize(count: 1)
    value.deallocate()
  }

  /// Waits until `condition` holds, then runs `body` while no other thread is inside.
  ///
  /// Conditions of threads that wait are looked at again after each body.
  func enter<Result>(
    when condition: (Value) -> Bool = { _ in true }, _ body: (inout Value) -> Result
  ) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while !condition(value.pointee) {
      pthread_cond_wait(changed, mutex)
    }
    defer { pthread_cond_broadcast(changed) }
    return body(&value.pointee)
  }
}
