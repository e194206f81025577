#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// A value that is protected by a pthread mutex, with a condition variable to wait for its changes.
///
/// Tests use monitors, so that they don't wait with the locks that they test. ThreadSanitizer knows the
/// functions of pthreads, but reports false races for a contended `Synchronization.Mutex`.
@safe package final class Monitor<Value>: @unchecked Sendable {
  // `Monitor` is `@unchecked Sendable`, which is sound: `value` is accessed only while `mutex` is held. The
  // pointers never change, and are valid until `deinit`.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  private let value: UnsafeMutablePointer<Value>

  package init(_ value: sending Value) {
    // Sound: `init` initializes the memory of all three pointers before another thread can use the monitor.
    unsafe self.value = .allocate(capacity: 1)
    unsafe self.value.initialize(to: value)
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(mutex, nil)
    unsafe changed = .allocate(capacity: 1)
    unsafe changed.initialize(to: pthread_cond_t())
    #if canImport(Darwin)
      unsafe pthread_cond_init(changed, nil)
    #else
      // Makes timed waits use the monotonic clock, which changes of the system's time do not affect.
      var attributes = pthread_condattr_t()
      unsafe pthread_condattr_init(&attributes)
      unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
      unsafe pthread_cond_init(changed, &attributes)
      unsafe pthread_condattr_destroy(&attributes)
    #endif
  }

  deinit {
    // Sound: no thread can still use the mutex or the value, because each call keeps a reference to the
    // monitor.
    unsafe pthread_cond_destroy(changed)
    unsafe changed.deallocate()
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
    unsafe value.deinitialize(count: 1)
    unsafe value.deallocate()
  }

  /// Waits until `condition` holds, then runs `body` while the mutex is held, and returns its result.
  ///
  /// `condition` is also evaluated while the mutex is held. After each `body`, all waiting threads evaluate
  /// their conditions again. Neither closure may call this monitor, because the thread would wait for itself.
  package func enter<Result>(
    when condition: (Value) -> Bool = { _ in true }, _ body: (inout Value) -> Result
  ) -> Result {
    // Sound: the memory of `value` is accessed only while the mutex is held.
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while unsafe !condition(value.pointee) {
      unsafe pthread_cond_wait(changed, mutex)
    }
    defer { unsafe pthread_cond_broadcast(changed) }
    return unsafe body(&value.pointee)
  }
}
