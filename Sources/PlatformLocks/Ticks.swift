internal import CInterlock

/// The processor's constant-rate counter, for comparing durations that were measured on it; in no particular unit.
package enum Ticks {
  /// The counter, after all that the calling thread has done before.
  package static var now: UInt64 {
    #if Exploration
      // The same each time: an execution must not depend on how long something took.
      if ExploredThreads.current != nil { return 0 }
    #endif
    return interlock_ticks()
  }

  /// How much of a duration between two calls of `now` is their own; found out once, in less than a microsecond.
  package static let overhead: UInt64 = {
    var least = UInt64.max
    for _ in 0..<16 {
      let start = now
      least = min(least, now &- start)
    }
    return least
  }()

  /// The ticks since `start`, without those of looking at the counter.
  package static func since(_ start: UInt64) -> Float {
    let ticks = now &- start
    return ticks > overhead ? Float(ticks &- overhead) : 0
  }
}
