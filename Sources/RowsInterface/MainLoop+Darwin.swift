#if canImport(Darwin)
  internal import CoreFoundation
  internal import Darwin

  /// The main queue, which the main run loop serves.
  enum MainLoopPlatform {
    /// Whether the calling thread is the one that started the process.
    static var isFirstThread: Bool { pthread_main_np() != 0 }

    /// Runs what waits.
    static func runPending() {
      CFRunLoopRunInMode(.defaultMode, 0, false)
    }

    /// Runs the next thing that comes, for so long at most.
    static func wait(nanoseconds: UInt64) {
      CFRunLoopRunInMode(.defaultMode, Double(nanoseconds) / 1e9, true)
    }
  }
#endif
