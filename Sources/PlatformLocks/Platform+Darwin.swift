#if canImport(Darwin)
  internal import CInterlock
  internal import Darwin

  enum Platform {
    /// Sleeps while the word at `address` holds `expected`, until it is woken or `deadline` passes.
    ///
    /// Wake-ups may be spurious.
    static func wait(on address: UnsafePointer<UInt32>, while expected: UInt32, until deadline: Deadline)
      -> LockWord.WaitOutcome
    {
      let word = unsafe UnsafeMutableRawPointer(mutating: address)
      let result: Int32
      if deadline == .never {
        // Sound: the caller borrows the word, so the word outlives the call.
        result = unsafe os_sync_wait_on_address(word, UInt64(expected), 4, OS_SYNC_WAIT_ON_ADDRESS_NONE)
      } else {
        let now = monotonicNanoseconds()
        guard deadline.nanoseconds > now else { return .timedOut }
        result = unsafe os_sync_wait_on_address_with_timeout(
          word, UInt64(expected), 4, OS_SYNC_WAIT_ON_ADDRESS_NONE, OS_CLOCK_MACH_ABSOLUTE_TIME,
          deadline.nanoseconds - now)
      }
      // A result of zero or more is the number of threads that still wait there. The call also succeeds when
      // the value differed.
      if result >= 0 { return .woken }
      switch errno {
      case ETIMEDOUT: return .timedOut
      case EINTR, EFAULT: return .notWaited
      case let code: misuse("LockWord", "the kernel refused to wait (error \(code))", "report this as a bug")
      }
    }

    /// Wakes up to `count` threads that wait on `address`, which need not be mapped any more.
    ///
    /// The system does not report how many threads it woke. The result is 1 if it woke any.
    static func wake(_ address: UnsafePointer<UInt32>, count: Int32) -> Int {
      let word = unsafe UnsafeMutableRawPointer(mutating: address)
      // Sound: the kernel uses the address as a key and does not read the memory.
      let result =
        unsafe count == 1
        ? os_sync_wake_by_address_any(word, 4, OS_SYNC_WAKE_BY_ADDRESS_NONE)
        : os_sync_wake_by_address_all(word, 4, OS_SYNC_WAKE_BY_ADDRESS_NONE)
      return result == 0 ? 1 : 0
    }

    /// Nanoseconds on the clock of the timed waits.
    ///
    /// The clock stops while the machine sleeps.
    static func monotonicNanoseconds() -> UInt64 {
      interlock_monotonic_ns()
    }

    /// Yields the processor to another runnable thread.
    static func yield() {
      sched_yield()
    }

    /// Closes a file descriptor.
    ///
    /// Returns 0 or the error's number.
    static func closeDescriptor(_ descriptor: Int32) -> Int32 {
      close(descriptor) == 0 ? 0 : errno
    }

    /// The error's number for a descriptor that is not open.
    static let notOpen = EBADF

    /// How many processors are online.
    static let processorCount = max(1, sysconf(_SC_NPROCESSORS_ONLN))
  }
#endif
