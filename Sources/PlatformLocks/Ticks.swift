internal import CInterlock

/// The processor's constant-rate counter, for comparing durations.
///
/// It has no particular unit.
package enum Ticks {
  /// The counter, after all that the calling thread has done before.
  package static var now: UInt64 {
    #if Exploration
      // The same each time: an execution must not depend on how long something took.
      if ExploredThreads.current != nil { return 0 }
    #endif
    return interlock_ticks()
  }

  /// The ticks that two successive readings of `now` are apart.
  ///
  /// Measured once, in less than a microsecond.
  package static let overhead: UInt64 = {
    var least = UInt64.max
    for _ in 0..<16 {
      let start = now
      least = min(least, now &- start)
    }
    return least
  }()

  /// The ticks since `start`, without the time that reading the counter takes.
  package static func since(_ start: UInt64) -> Float {
    let ticks = now &- start
    return ticks > overhead ? Float(ticks &- overhead) : 0
  }
}
