#if canImport(Darwin)
  internal import Darwin

  enum Platform {
    // MARK: Instruments

    /// The number of involuntary context switches of all threads of the process.
    ///
    /// Darwin does not report the switches of one thread. A switch of a thread that does not take part in a
    /// round can therefore cause the round to be measured again.
    static func involuntarySwitchesOfThisThread() -> Int {
      var usage = rusage()
      getrusage(RUSAGE_SELF, &usage)
      return usage.ru_nivcsw
    }

    /// The processor time of all threads of the process, and the number of times that they slept.
    static func usageOfThisProcess() -> ProcessUsage {
      var usage = rusage()
      getrusage(RUSAGE_SELF, &usage)
      let seconds = Int(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
      let microseconds = Int(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
      return ProcessUsage(
        processorNanoseconds: seconds * 1_000_000_000 + microseconds * 1_000, sleeps: usage.ru_nvcsw)
    }

    /// The processor time that the calling thread has used so far, in nanoseconds.
    static func processorNanosecondsOfThisThread() -> Int {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
    }

    // MARK: Threads

    /// The kernel's state of a thread: always `nil`, because Darwin does not list threads by number.
    static func state(ofThread number: Int) -> String? { nil }

    /// Whether the main thread runs or waits for a processor: always `false`, because Darwin does not tell.
    static var mainThreadRuns: Bool { false }

    // MARK: Machine

    /// The number of processors that this process may use: all that are online, because Darwin has no
    /// affinity masks.
    static let processorCount = max(1, sysconf(_SC_NPROCESSORS_ONLN))

    /// The processor's name.
    static var processorModel: String? {
      var length = 0
      guard sysctlbyname("machdep.cpu.brand_string", nil, &length, nil, 0) == 0 else { return nil }
      var bytes = [UInt8](repeating: 0, count: length)
      guard sysctlbyname("machdep.cpu.brand_string", &bytes, &length, nil, 0) == 0 else { return nil }
      return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// The distribution's name: `nil`, because on Darwin the result of `uname` is specific enough.
    static var distribution: String? { nil }
  }
#endif
