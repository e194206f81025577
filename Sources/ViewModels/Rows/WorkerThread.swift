#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif
internal import LockSupport
internal import ThreadSupport

/// A worker thread of the row model, joined when this value is destroyed.
///
/// If the value is destroyed on a worker thread, the thread is detached instead, and ends by itself. A worker
/// can't join itself, and two workers that joined each other would wait for ever.
struct WorkerThread: ~Copyable, Sendable {
  private let thread: PlatformThread

  /// Starts a thread that runs `body`.
  init(_ body: @escaping @Sendable () -> Void) {
    thread = PlatformThread(
      orElse: { error in
        // Untested: the system would have to run out of threads, or of memory for a stack.
        misuse("RowsViewModel", "the system refused a thread (error \(error))", "start fewer workers")
      },
      {
        // Sound: the value is only a mark and is never dereferenced.
        unsafe pthread_setspecific(WorkerThread.mark, UnsafeMutableRawPointer(bitPattern: 1))
        body()
      })
  }

  deinit {
    if unsafe pthread_getspecific(Self.mark) == nil { thread.join() } else { thread.detach() }
  }

  /// The key of thread-specific data that is set on worker threads.
  private static let mark: pthread_key_t = {
    var key = pthread_key_t()
    let code = unsafe pthread_key_create(&key, nil)
    guard code == 0 else {
      // Untested: the system would have to run out of keys.
      misuse("RowsViewModel", "the system refused a key (error \(code))", "create fewer keys")
    }
    return key
  }()
}
