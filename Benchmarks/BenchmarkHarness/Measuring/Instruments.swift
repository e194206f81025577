internal import CBenchmarkCounters
internal import ThreadSupport

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// The clocks and counters that a worker thread reads before and after its batches.
///
/// Tests replace the system's clocks and counters with scripted readings.
package protocol Instruments: Sendable {
  /// The time on a monotonic clock, in nanoseconds.
  func now() -> UInt64

  /// The number of involuntary context switches of the calling thread so far.
  func involuntarySwitches() -> Int

  /// The resources that the process has used so far.
  func usage() -> ProcessUsage

  /// The processor time that the calling thread has used so far, in nanoseconds.
  func threadNanoseconds() -> Int

  /// The number of instructions that the calling thread has executed outside the kernel; `nil` if they are
  /// not counted.
  func instructions() -> Int?
}

extension Instruments {
  // The following default implementations return 0 or `nil`. They are for types that read only the clock and
  // the context switches.

  package func usage() -> ProcessUsage { ProcessUsage() }

  package func threadNanoseconds() -> Int { 0 }

  package func instructions() -> Int? { nil }
}

/// The resources that all threads of the process have used.
package struct ProcessUsage: BitwiseCopyable, Sendable, Equatable {
  /// Processor time, in nanoseconds.
  package var processorNanoseconds = 0
  /// The number of voluntary context switches, where a thread slept and had to be woken.
  package var sleeps = 0

  package init() {}

  package init(processorNanoseconds: Int, sleeps: Int) {
    self.processorNanoseconds = processorNanoseconds
    self.sleeps = sleeps
  }

  /// The resources that were used between the readings `earlier` and `later`.
  package static func - (later: ProcessUsage, earlier: ProcessUsage) -> ProcessUsage {
    ProcessUsage(
      processorNanoseconds: later.processorNanoseconds - earlier.processorNanoseconds,
      sleeps: later.sleeps - earlier.sleeps)
  }
}

/// The system's monotonic clock, and its statistics of threads and the process.
package struct SystemInstruments: Instruments {
  package init() {}

  package func now() -> UInt64 { Self.now() }

  package func involuntarySwitches() -> Int { Platform.involuntarySwitchesOfThisThread() }

  package func usage() -> ProcessUsage { Platform.usageOfThisProcess() }

  package func threadNanoseconds() -> Int { Platform.processorNanosecondsOfThisThread() }

  package func instructions() -> Int? {
    let count = benchmark_instructions()
    return count < 0 ? nil : Int(count)
  }

  /// The reason why instructions can't be counted on this system; `nil` if they can.
  package static var obstacleToInstructions: String? {
    let count = benchmark_instructions()
    return count < 0 ? String(cString: strerror(Int32(-count))) : nil
  }

  /// The time on the monotonic clock, in nanoseconds, for implementations that measure their waits themselves
  /// (see `Contestant.samples`).
  package static func now() -> UInt64 { MonotonicClock.now }
}
