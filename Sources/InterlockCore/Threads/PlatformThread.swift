internal import CInterlock

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// A thread of the system, which is joined by `join()` or when the value is destroyed.
///
/// It runs code of the program, with the program's signal mask, unless it is started by `startService`.
///
/// Tests use it instead of `Thread` or a dispatch queue: ThreadSanitizer understands `pthread_create` and
/// `pthread_join`, but Foundation and libdispatch are not instrumented.
package struct PlatformThread: ~Copyable, Sendable {
  private let handle: Handle
  private let owner: StaticString

  /// Starts a thread that runs `body`.
  ///
  /// - Parameters:
  ///   - owner: The name in traps: of the type through which the program starts the thread.
  ///   - body: What the thread runs.
  package init(for owner: StaticString = "Interlock", _ body: @escaping @Sendable () -> Void) {
    let (handle, code) = Self.start {
      interlock_take_signals()
      body()
    }
    guard let handle else {
      // Untested: the system would have to run out of threads or of memory for stacks.
      misuse("\(owner)", "the system refused a thread (error \(code))", "start fewer threads")
    }
    self.handle = handle
    self.owner = owner
  }

  /// Starts a thread that runs `body` and is never joined; returns whether the system has made one.
  package static func startDetached(_ body: @escaping @Sendable () -> Void) -> Bool {
    startDetachedThread {
      interlock_take_signals()
      body()
    }
  }

  /// Starts a thread of the package's own, which leaves all signals to the program's and is never joined; returns whether
  /// the system has made one.
  package static func startService(_ body: @escaping @Sendable () -> Void) -> Bool {
    startDetachedThread {
      interlock_leave_signals()
      body()
    }
  }

  private static func startDetachedThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    interlock_keep_loaded()
    let (handle, _) = start(body)
    handle?.detach()
    return handle != nil
  }

  private static func start(_ body: @escaping @Sendable () -> Void) -> (handle: Handle?, code: Int32) {
    // Sound: the new thread releases the retained reference exactly once, in `Start.run`. If there is no new
    // thread, this function does.
    let start = unsafe Unmanaged.passRetained(Start(body))
    #if canImport(Darwin)
      var thread: pthread_t?
      let code = unsafe pthread_create(&thread, nil, { unsafe Start.run($0) }, start.toOpaque())
      let handle = Handle(address: UInt(bitPattern: thread))
    #else
      var thread = pthread_t()
      let code = unsafe pthread_create(&thread, nil, { unsafe Start.run($0!) }, start.toOpaque())
      let handle = Handle(thread: thread)
    #endif
    if code == 0 { return (handle, 0) }
    unsafe start.release()
    return (nil, code)
  }

  deinit {
    Self.join(handle, owner)
  }

  /// Waits until the thread has ended.
  package consuming func join() {
    Self.join(handle, owner)
    discard self
  }

  /// Detaches the thread: it runs until it or the process ends, and is never joined.
  package consuming func detach() {
    interlock_keep_loaded()
    handle.detach()
    discard self
  }

  private static func join(_ handle: Handle, _ owner: StaticString) {
    // The thread is joined only once, because the value is not copyable. The join fails if a thread joins
    // itself.
    let code = handle.join()
    guard code == 0 else {
      misuse("\(owner)", "a thread was not joined (error \(code))", "join it on another thread")
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
