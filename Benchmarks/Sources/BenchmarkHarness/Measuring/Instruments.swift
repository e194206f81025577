internal import Foundation

/// The clocks and counters that a worker thread reads before and after its batches.
///
/// Tests replace the system's clocks and counters with scripted readings.
package protocol Instruments: Sendable {
  /// The time on a monotonic clock, in nanoseconds.
  func now() -> UInt64

  /// What the calling thread and the process have used so far.
  func usage() -> Usage
}

/// What a thread and its process have used so far, or in an interval.
package struct Usage: BitwiseCopyable, Sendable, Equatable {
  /// The number of involuntary context switches of the thread.
  package var involuntarySwitches = 0
  /// The processor time of the thread, in nanoseconds.
  package var threadNanoseconds = 0
  /// The processor time of all threads of the process, in nanoseconds.
  package var processNanoseconds = 0
  /// The number of voluntary context switches of all threads of the process, where a thread slept and had to
  /// be woken.
  package var sleeps = 0

  package init() {}

  static func - (later: Usage, earlier: Usage) -> Usage {
    var difference = later
    difference.involuntarySwitches -= earlier.involuntarySwitches
    difference.threadNanoseconds -= earlier.threadNanoseconds
    difference.processNanoseconds -= earlier.processNanoseconds
    difference.sleeps -= earlier.sleeps
    return difference
  }
}

/// The system's monotonic clock, and its statistics of threads and the process.
package struct SystemInstruments: Instruments {
  package init() {}

  package func now() -> UInt64 { Self.now() }

  package func usage() -> Usage {
    var (thread, process, time) = (rusage(), rusage(), timespec())
    #if os(Linux)
      // RUSAGE_THREAD, which the headers declare only with _GNU_SOURCE.
      getrusage(__rusage_who_t(1), &thread)
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &process)
    #elseif canImport(Darwin)
      // Darwin does not report the switches of one thread. A switch of a thread that does not take part in a
      // round can therefore cause the round to be measured again.
      getrusage(RUSAGE_SELF, &thread)
      getrusage(RUSAGE_SELF, &process)
    #else
      #error("The benchmarks don't know how this system counts context switches.")
    #endif
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    let seconds = Int(process.ru_utime.tv_sec + process.ru_stime.tv_sec)
    let microseconds = Int(process.ru_utime.tv_usec + process.ru_stime.tv_usec)
    var usage = Usage()
    usage.involuntarySwitches = thread.ru_nivcsw
    usage.threadNanoseconds = Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
    usage.processNanoseconds = seconds * 1_000_000_000 + microseconds * 1_000
    usage.sleeps = process.ru_nvcsw
    return usage
  }

  /// The time on the monotonic clock, in nanoseconds, for contestants that measure waits themselves.
  package static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
