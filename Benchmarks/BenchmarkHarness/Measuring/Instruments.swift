internal import CBenchmarkCounters
internal import ThreadSupport

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// What a worker reads around its batches.
///
/// Tests put a scripted one in place of the system's.
package protocol Instruments: Sendable {
  /// The time in nanoseconds on a clock that only goes forward.
  func now() -> UInt64

  /// How often the system has taken the processor away from the calling thread.
  func involuntarySwitches() -> Int

  /// What the whole process has used so far.
  func usage() -> ProcessUsage

  /// Processor time that the calling thread has used so far, in nanoseconds.
  func threadNanoseconds() -> Int

  /// How many instructions the calling thread has executed so far outside the kernel; `nil` where nobody
  /// counts.
  func instructions() -> Int?
}

extension Instruments {
  // For instruments that don't look.

  package func usage() -> ProcessUsage { ProcessUsage() }

  package func threadNanoseconds() -> Int { 0 }

  package func instructions() -> Int? { nil }
}

/// What all threads of the process have used so far.
package struct ProcessUsage: BitwiseCopyable, Sendable, Equatable {
  /// Processor time, in nanoseconds.
  package var processorNanoseconds = 0
  /// How often a thread gave its processor away to wait for something: each is woken up again.
  package var sleeps = 0

  package init() {}

  package init(processorNanoseconds: Int, sleeps: Int) {
    self.processorNanoseconds = processorNanoseconds
    self.sleeps = sleeps
  }

  /// What was used between two moments.
  package static func - (later: ProcessUsage, earlier: ProcessUsage) -> ProcessUsage {
    ProcessUsage(
      processorNanoseconds: later.processorNanoseconds - earlier.processorNanoseconds,
      sleeps: later.sleeps - earlier.sleeps)
  }
}

/// The system's monotonic clock and its account of the calling thread.
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

  /// Why instructions can't be counted on this system; `nil` where they are.
  package static var obstacleToInstructions: String? {
    let count = benchmark_instructions()
    return count < 0 ? String(cString: strerror(Int32(-count))) : nil
  }

  /// The clock, for contestants that measure a wait.
  package static func now() -> UInt64 { MonotonicClock.now }
}
