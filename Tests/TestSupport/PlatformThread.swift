#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// A thread of the system that has been started and must be joined.
///
/// Tests use these and not `Thread` or a queue: ThreadSanitizer understands `pthread_create` and `pthread_join`, while
/// Foundation and libdispatch are not instrumented and give it nothing to go by.
package struct PlatformThread: ~Copyable {
  private let handle: pthread_t

  /// Starts a thread that runs `body`.
  package init(_ body: @escaping @Sendable () -> Void) {
    let argument = Unmanaged.passRetained(Start(body)).toOpaque()
    #if canImport(Darwin)
      var handle: pthread_t?
      let code = pthread_create(&handle, nil, { Start.run($0) }, argument)
    #else
      var handle = pthread_t()
      let code = pthread_create(&handle, nil, { Start.run($0!) }, argument)
    #endif
    guard code == 0 else { fatalError("pthread_create failed with error \(code)") }
    #if canImport(Darwin)
      self.handle = handle!
    #else
      self.handle = handle
    #endif
  }

  /// Waits until the thread has ended.
  package consuming func join() {
    let code = pthread_join(handle, nil)
    guard code == 0 else { fatalError("pthread_join failed with error \(code)") }
  }

  /// Lets the thread run on by itself until the process ends.
  package consuming func detach() {
    pthread_detach(handle)
  }

  /// Lets another runnable thread have the processor.
  package static func yield() {
    sched_yield()
  }

  /// A number that no other live thread has.
  package static var current: UInt {
    #if canImport(Darwin)
      UInt(bitPattern: pthread_self())
    #else
      UInt(pthread_self())
    #endif
  }

  /// Carries the body through the C function that a thread starts in.
  private final class Start: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }

    static func run(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
      Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body()
      return nil
    }
  }
}
