#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif
internal import LockSupport

/// A thread of the system, which is joined by `join()` or when the value is destroyed.
///
/// The messages of its traps name `JoinedThreads`, the type through which clients start threads. Tests use
/// `PlatformThread` instead of `Thread` or a dispatch queue: ThreadSanitizer understands `pthread_create` and
/// `pthread_join`, but Foundation and libdispatch are not instrumented.
package struct PlatformThread: ~Copyable, Sendable {
  private let handle: Handle

  /// Starts a thread that runs `body`.
  package init(_ body: @escaping @Sendable () -> Void) {
    // Sound: the new thread releases the retained reference exactly once, in `Start.run`.
    let argument = unsafe Unmanaged.passRetained(Start(body)).toOpaque()
    #if canImport(Darwin)
      var thread: pthread_t?
      let code = unsafe pthread_create(&thread, nil, { unsafe Start.run($0) }, argument)
    #else
      var thread = pthread_t()
      let code = unsafe pthread_create(&thread, nil, { unsafe Start.run($0!) }, argument)
    #endif
    guard code == 0 else {
      // Untested: the system would have to run out of threads or of memory for stacks.
      misuse("JoinedThreads", "the system refused a thread (error \(code))", "start fewer threads")
    }
    #if canImport(Darwin)
      handle = Handle(address: UInt(bitPattern: thread))
    #else
      handle = Handle(thread: thread)
    #endif
  }

  deinit {
    Self.join(handle)
  }

  /// Waits until the thread has ended.
  package consuming func join() {
    Self.join(handle)
    discard self
  }

  /// Detaches the thread: it runs until it or the process ends, and is never joined.
  package consuming func detach() {
    handle.detach()
    discard self
  }

  private static func join(_ handle: Handle) {
    // The thread is joined only once, because the value is not copyable. The join fails if a thread joins
    // itself.
    let code = handle.join()
    guard code == 0 else {
      misuse("JoinedThreads", "a thread was not joined (error \(code))", "join it on another thread")
    }
  }

  /// Yields the processor to another runnable thread.
  package static func yield() {
    sched_yield()
  }

  /// A number that identifies the calling thread; no other live thread has the same number.
  package static var current: UInt {
    #if canImport(Darwin)
      unsafe UInt(bitPattern: pthread_self())
    #else
      UInt(pthread_self())
    #endif
  }

  /// The system's handle of a thread.
  private struct Handle: Sendable {
    #if canImport(Darwin)
      // The handle is stored as an integer, because a pointer is not `Sendable`.
      let address: UInt

      // Sound, also in `detach`: the callers consume or destroy the noncopyable `PlatformThread`. The thread
      // at this address was therefore neither joined nor detached before.
      func join() -> Int32 { unsafe pthread_join(pthread_t(bitPattern: address)!, nil) }

      func detach() { unsafe pthread_detach(pthread_t(bitPattern: address)!) }
    #else
      let thread: pthread_t

      func join() -> Int32 { pthread_join(thread, nil) }

      func detach() { pthread_detach(thread) }
    #endif
  }

  /// The closure that a new thread runs, in an object that `pthread_create` passes to the thread.
  private final class Start: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }

    static func run(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
      // Sound: the argument is the retained `Start` that `PlatformThread.init` passed to `pthread_create`.
      unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body()
      return nil
    }
  }
}
