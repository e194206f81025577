#if canImport(Darwin)
  internal import CoreFoundation
  internal import Darwin

  /// Runs the main queue by running the main run loop.
  enum MainLoopPlatform {
    /// Whether the calling thread is the one that started the process.
    static var isFirstThread: Bool { pthread_main_np() != 0 }

    /// Runs the work that waits in the main queue, without blocking.
    static func runPending() {
      CFRunLoopRunInMode(.defaultMode, 0, false)
    }

    /// Waits for work in the main queue and runs one piece of it; returns when the time has passed.
    static func wait(nanoseconds: UInt64) {
      CFRunLoopRunInMode(.defaultMode, Double(nanoseconds) / 1e9, true)
    }
  }
#endif
