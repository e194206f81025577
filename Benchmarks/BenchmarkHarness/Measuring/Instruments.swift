/// What a worker reads around its batches.
///
/// Tests put a scripted one in place of the system's.
package protocol Instruments: Sendable {
  /// The time in nanoseconds on a clock that only goes forward.
  func now() -> UInt64

  /// How often the system has taken the processor away from the calling thread.
  func involuntarySwitches() -> Int
}

/// The system's monotonic clock and its account of the calling thread.
package struct SystemInstruments: Instruments {
  package init() {}

  package func now() -> UInt64 { Self.now() }

  package func involuntarySwitches() -> Int { Platform.involuntarySwitchesOfThisThread() }

  /// The clock, for contestants that measure a wait.
  package static func now() -> UInt64 { Platform.monotonicNanoseconds() }
}
