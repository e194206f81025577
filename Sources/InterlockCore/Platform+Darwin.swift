#if canImport(Darwin) || DarwinShim
  internal import CInterlock
  #if DarwinShim
    internal import CDarwinShim
  #else
    internal import Darwin
  #endif

  enum Platform {
    /// Sleeps until a wake-up or `deadline` if the word at `address` holds `expected`; returns how the
    /// wait ended.
    ///
    /// Wake-ups may be spurious.
    static func wait(on address: UnsafePointer<UInt32>, while expected: UInt32, until deadline: Deadline)
      -> LockWord.WaitOutcome
    {
      // Sound: the kernel reads the word during the call, and the caller borrows the word for that time.
      switch unsafe interlock_futex_wait(address, expected, deadline.nanoseconds) {
      case 0: .woken
      case ETIMEDOUT: .timedOut
      case EAGAIN, EINTR: .notWaited
      case let code: misuse("LockWord", "the kernel refused to wait (error \(code))", "report this as a bug")
      }
    }

    /// Wakes up to `count` threads that wait on `address`, and returns how many it woke.
    ///
    /// Since macOS 14.4, a `count` other than 1 wakes all threads, and the result is 1 if it woke any: the
    /// system does not report the number. The address need not be mapped any more.
    static func wake(_ address: UnsafePointer<UInt32>, count: Int32) -> Int {
      // Sound: the kernel uses the address as a key and does not read the memory.
      unsafe Int(interlock_futex_wake(address, count))
    }

    /// The current time on the clock of the timed waits, in nanoseconds.
    ///
    /// The clock stops while the machine sleeps.
    static func monotonicNanoseconds() -> UInt64 {
      interlock_monotonic_ns()
    }

    /// Nanoseconds on the same clock, late by some milliseconds.
    static func coarseNanoseconds() -> UInt64 {
      interlock_coarse_ns()
    }

    /// Yields the processor to another runnable thread.
    static func yield() {
      sched_yield()
    }

    /// Closes a file descriptor.
    ///
    /// Returns 0, or the `errno` value of the error.
    static func closeDescriptor(_ descriptor: Int32) -> Int32 {
      close(descriptor) == 0 ? 0 : errno
    }

    /// The `errno` value for a descriptor that is not open.
    static let notOpen = EBADF

    /// The number of processors that were online when this property was first used; at least 1.
    static let processorCount = max(1, sysconf(_SC_NPROCESSORS_ONLN))
  }
#endif
