#if canImport(Darwin)
  internal import CoreFoundation
  internal import Darwin

  /// Runs the main queue by running the main run loop.
  enum MainLoopPlatform {
    /// Whether the calling thread is the main thread, the only one that may run the main queue.
    static var mayRunQueue: Bool { pthread_main_np() != 0 }

    /// Runs the work that waits in the main queue, without blocking.
    static func runPending() {
      CFRunLoopRunInMode(.defaultMode, 0, false)
    }

    /// Runs the main queue until it has done some work, or until `nanoseconds` have passed.
    static func wait(nanoseconds: UInt64) {
      CFRunLoopRunInMode(.defaultMode, Double(nanoseconds) / 1e9, true)
    }
  }
#endif
