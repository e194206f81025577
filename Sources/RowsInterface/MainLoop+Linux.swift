#if os(Linux)
  internal import CInterlock
  #if canImport(Glibc)
    internal import Glibc
  #else
    internal import Musl
  #endif

  /// The main queue as a run loop sees it: a descriptor that is readable when something waits, and a call
  /// that runs it.
  ///
  /// Both are functions that libdispatch has for run loops, such as CoreFoundation's.
  enum MainLoopPlatform {
    /// Whether the calling thread is the one that started the process: only there may the main queue be run.
    static var isFirstThread: Bool { interlock_system_thread_id() == UInt32(getpid()) }

    /// Runs what waits.
    static func runPending() {
      mainQueueRun(nil)
    }

    /// Waits until something may wait, for so long at most.
    static func wait(nanoseconds: UInt64) {
      var descriptor = pollfd(fd: mainQueueDescriptor(), events: Int16(POLLIN), revents: 0)
      // Rounded up, so that the time has passed afterwards.
      let milliseconds = Int32(clamping: nanoseconds / 1_000_000 + (nanoseconds == .max ? 0 : 1))
      // Sound: `descriptor` outlives the call.
      guard unsafe poll(&descriptor, 1, milliseconds) > 0 else { return }
      var count: UInt64 = 0
      // Sound: eight bytes, which is what such a descriptor gives. It says again if more comes.
      _ = unsafe read(descriptor.fd, &count, 8)
    }
  }

  @_silgen_name("_dispatch_get_main_queue_handle_4CF")
  private func mainQueueDescriptor() -> Int32

  @_silgen_name("_dispatch_main_queue_callback_4CF")
  private func mainQueueRun(_ message: UnsafeMutableRawPointer?)
#endif
