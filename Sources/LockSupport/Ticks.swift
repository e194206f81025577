internal import CInterlock

/// The processor's constant-rate counter, for comparing durations.
///
/// It has no particular unit.
package enum Ticks {
  /// The counter's value, read after all earlier instructions of the calling thread have completed.
  package static var now: UInt64 {
    // Always 0 under the explorer: its executions must be reproducible, so they must not depend on durations.
    ExploredThreads.current == nil ? interlock_ticks() : 0
  }

  /// The least number of ticks between two successive readings of `now`.
  ///
  /// It is measured once, in less than a microsecond.
  package static let overhead: UInt64 = {
    var least = UInt64.max
    for _ in 0..<16 {
      let start = now
      least = min(least, now &- start)
    }
    return least
  }()

  /// The ticks since `start`, an earlier value of `now`, without the ticks that reading the counter takes.
  package static func since(_ start: UInt64) -> Float {
    let ticks = now &- start
    return ticks > overhead ? Float(ticks &- overhead) : 0
  }
}
