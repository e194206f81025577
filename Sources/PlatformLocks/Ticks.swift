internal import CInterlock

/// The processor's constant-rate counter, for comparing durations that were measured on it; in no particular unit.
package enum Ticks {
  package static var now: UInt64 { interlock_ticks() }

  /// About how many ticks there are in a microsecond; found out once, in some microseconds.
  package static let perMicrosecond: UInt64 = {
    // What holds the thread up between the two clocks makes a try wrong, and hardly more than one of them.
    let tries = (0..<5).map { _ in measurePerMicrosecond() }
    return max(1, tries.sorted()[2])
  }()

  private static func measurePerMicrosecond() -> UInt64 {
    let start = (ticks: now, nanoseconds: Platform.monotonicNanoseconds())
    var end = start
    while end.nanoseconds < start.nanoseconds + 2_000 {
      end = (now, Platform.monotonicNanoseconds())
    }
    return (end.ticks &- start.ticks) &* 1_000 / (end.nanoseconds - start.nanoseconds)
  }
}
