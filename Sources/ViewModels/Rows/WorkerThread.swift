#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif
internal import PlatformLocks

/// A thread of the system, joined when this goes away.
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

  deinit {
    // Joined once, because this is not copyable, and never by the thread itself, which does not have it.
    _ = pthread_join(handle, nil)
  }

  /// Carries the body through the C function that a thread starts in.
  private final class Start: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }

    static func run(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
      // Sound: what `WorkerThread.init` passed.
      unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body()
      return nil
    }
  }
}
