#if os(Linux)
  #if canImport(Glibc)
    internal import Glibc
  #else
    internal import Musl
  #endif

  /// Runs the main queue through the two functions that libdispatch has for run loops such as
  /// CoreFoundation's.
  ///
  /// One function returns a descriptor that is readable while work waits. The other one runs the work.
  enum MainLoopPlatform {
    /// Whether the calling thread, which must be running code of the main actor, may run the main queue.
    ///
    /// True on the first thread of the process, and on the thread that loaded this library while the
    /// program ran. False on threads of libdispatch, which run the main queue after `dispatchMain()`.
    static var mayRunQueue: Bool { isMainThread() != 0 }

    /// Runs the work that waits in the main queue, without blocking.
    static func runPending() {
      mainQueueRun(nil)
    }

    /// Waits until work has been added to the main queue, or until `nanoseconds` have passed; runs no work.
    ///
    /// Can return early, for example after a signal, so the caller must check the time.
    static func wait(nanoseconds: UInt64) {
      var descriptor = pollfd(fd: mainQueueDescriptor(), events: Int16(POLLIN), revents: 0)
      // `poll` takes milliseconds. The timeout is rounded up, so that it does not end too early, and is at
      // most `Int32.max`, about 24 days.
      let milliseconds = Int32(clamping: nanoseconds / 1_000_000 + (nanoseconds == .max ? 0 : 1))
      // Sound: `descriptor` outlives the call.
      guard unsafe poll(&descriptor, 1, milliseconds) > 0 else { return }
      var count: UInt64 = 0
      // Sound: the descriptor yields eight bytes, for which `count` has room. Reading makes the descriptor
      // unreadable until more work is enqueued.
      _ = unsafe read(descriptor.fd, &count, 8)
    }
  }

  // Declared here because the public headers of `CRows`, which defines the function, don't declare it.
  @_silgen_name("interlock_rows_is_main_thread")
  private func isMainThread() -> Int32

  @_silgen_name("_dispatch_get_main_queue_handle_4CF")
  private func mainQueueDescriptor() -> Int32

  @_silgen_name("_dispatch_main_queue_callback_4CF")
  private func mainQueueRun(_ message: UnsafeMutableRawPointer?)
#endif
