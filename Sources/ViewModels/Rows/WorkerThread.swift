#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif
internal import PlatformLocks

/// A thread of the system, joined when this is destroyed.
///
/// On a thread that is a worker itself it is detached instead, and ends by itself. A worker can't join itself, and two
/// workers that joined each other would wait for ever.
struct WorkerThread: ~Copyable, Sendable {
  private let handle: pthread_t

  /// Starts a thread.
  init(_ body: @escaping @Sendable () -> Void) {
    // Sound: the thread takes the reference that is passed, once.
    let argument = unsafe Unmanaged.passRetained(Start(body)).toOpaque()
    #if canImport(Darwin)
      var handle: pthread_t?
      let code = unsafe pthread_create(&handle, nil, { unsafe Start.run($0) }, argument)
    #else
      var handle = pthread_t()
      let code = unsafe pthread_create(&handle, nil, { unsafe Start.run($0!) }, argument)
    #endif
    guard code == 0 else {
      // Untested: the system would have to run out of threads or of memory for a stack.
      misuse("RowsViewModel", "the system refused a thread (error \(code))", "start fewer workers")
    }
    #if canImport(Darwin)
      // Set, as the call succeeded.
      unsafe self.handle = unsafe handle!
    #else
      self.handle = handle
    #endif
  }

  // Joined or detached once, because this is not copyable.
  deinit {
    let code = isCallingThreadAWorker ? pthread_detach(handle) : pthread_join(handle, nil)
    guard code == 0 else {
      // Untested: the handle would have to be that of another thread.
      misuse("RowsViewModel", "the system could not end a thread (error \(code))", "report this as a bug")
    }
  }

  /// Is set on threads that are workers.
  fileprivate static let mark: pthread_key_t = {
    var key = pthread_key_t()
    let code = unsafe pthread_key_create(&key, nil)
    guard code == 0 else {
      // Untested: the system would have to run out of keys.
      misuse("RowsViewModel", "the system refused a key (error \(code))", "create fewer keys")
    }
    return key
  }()

  private var isCallingThreadAWorker: Bool {
    unsafe pthread_getspecific(Self.mark) != nil
  }

  /// Carries the body through the C function that a thread starts in.
  private final class Start: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }

    static func run(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
      // Sound: nobody reads what the address leads to.
      unsafe pthread_setspecific(WorkerThread.mark, argument)
      // Sound: what `WorkerThread.init` passed.
      unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body()
      return nil
    }
  }
}
