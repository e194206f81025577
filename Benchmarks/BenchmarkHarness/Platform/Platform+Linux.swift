#if os(Linux)
  internal import Commands

  #if canImport(Glibc)
    internal import Glibc
  #else
    internal import Musl
  #endif

  enum Platform {
    // MARK: Instruments

    /// The number of involuntary context switches of the calling thread.
    static func involuntarySwitchesOfThisThread() -> Int {
      // The value of RUSAGE_THREAD, which the headers declare only with _GNU_SOURCE.
      let callingThread: Int32 = 1
      var usage = rusage()
      getrusage(__rusage_who_t(callingThread), &usage)
      return usage.ru_nivcsw
    }

    /// The processor time of all threads of the process, and the number of times that they slept.
    static func usageOfThisProcess() -> ProcessUsage {
      var usage = rusage()
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
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

    /// The state of the thread with the kernel's number `number`: "runs", "sleeps", or "sleeps in" and the
    /// name of a kernel function, such as "sleeps in futex_wait_queue".
    ///
    /// The result is `nil` if this process has no such thread, or if the thread is stopped or has ended.
    static func state(ofThread number: Int) -> String? {
      // The letter of the state follows the last `)`. The thread's name, in parentheses, may contain spaces
      // and parentheses.
      let fields = text(ofFile: "/proc/self/task/\(number)/stat").split(separator: ")").last ?? ""
      switch fields.first(where: { $0 != " " }) {
      case "R": return "runs"
      case "S", "D":
        // The name of the kernel function in which the thread sleeps; "0" if the kernel does not disclose it.
        let function = text(ofFile: "/proc/self/task/\(number)/wchan")
        return function.isEmpty || function == "0" ? "sleeps" : "sleeps in \(function)"
      default: return nil
      }
    }

    /// Whether the main thread runs or waits for a processor.
    static var mainThreadRuns: Bool { state(ofThread: Int(getpid())) == "runs" }

    // MARK: Machine

    /// The number of processors in the affinity mask of this process; if the mask can't be read, the number
    /// of processors that are online.
    static let processorCount: Int = {
      let allowed = MachineDescription.allowedProcessors(inStatus: text(ofFile: "/proc/self/status"))
      return allowed ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    }()

    /// The processor's name.
    static var processorModel: String? {
      MachineDescription.processorModel(inCPUInfo: text(ofFile: "/proc/cpuinfo"))
    }

    /// The distribution's name, if known.
    static var distribution: String? {
      MachineDescription.distribution(inOSRelease: text(ofFile: "/etc/os-release"))
    }

    /// The contents of a file; empty if the file can't be read.
    private static func text(ofFile path: String) -> String {
      (try? InputFile.text(path: path)) ?? ""
    }
  }
#endif
