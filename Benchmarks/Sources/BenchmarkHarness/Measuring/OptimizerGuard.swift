/// Detects loops from which the optimizer has removed operations.
///
/// The guard times a shorter batch, and a longer one with four times the operations. If operations were
/// removed, the longer batch takes hardly more time.
package struct OptimizerGuard: Sendable, Equatable {
  /// The ratio of the longer batch's operations to the shorter one's.
  package static let factor = 4

  /// The least `growth` of an intact loop; a lower one shows that the optimizer has removed operations.
  private static let leastGrowth = Double(factor) / 2

  /// The minimum time of the shorter batch, in nanoseconds, so that reading the clock does not matter.
  private static let leastTime: UInt64 = 10_000

  /// The time of the shorter batch, in nanoseconds, above which further tries no longer double the batches.
  private static let mostTime: UInt64 = 10_000_000

  /// The maximum of `times`.
  private static let mostTimes = 1 << 20

  /// The time of the longer batch divided by the time of the shorter one: about 4 for an intact loop.
  ///
  /// Each of the two times is the shortest that was measured with the final size of the batch.
  package let growth: Double
  /// The size of the shorter batch, as a multiple of the normal batch size of the contestant
  /// (see `BatchSize`).
  package let times: Int
  /// The shortest time of the shorter batch, in nanoseconds.
  package let nanoseconds: UInt64

  /// Measures how much longer a loop takes with four times the operations.
  ///
  /// The measurement ends with the first try whose growth shows an intact loop. Otherwise there are up to ten
  /// tries, because other programs may have disturbed the previous ones. Each further try doubles both
  /// batches, up to a limit, so that short disturbances matter less.
  ///
  /// - Parameter time: Runs a batch of `times` times the normal size, and returns its time in nanoseconds.
  package init<Failure>(measuring time: (_ times: Int) throws(Failure) -> UInt64) throws(Failure) {
    var times = 1
    var (short, long) = (try time(1), UInt64.max)
    for attempt in 0..<10 {
      if attempt > 0, times < Self.mostTimes, short < Self.mostTime {
        times *= 2
        (short, long) = (try time(times), UInt64.max)
      }
      // Each try checks that the shorter batch is long enough. In an earlier try, a disturbance may have made
      // a batch seem long enough.
      while short < Self.leastTime, times < Self.mostTimes {
        times *= 2
        (short, long) = (try time(times), UInt64.max)
      }
      long = min(long, try time(times * Self.factor))
      if Double(long) / Double(short) >= Self.leastGrowth { break }
      short = min(short, try time(times))
      if Double(long) / Double(short) >= Self.leastGrowth { break }
    }
    growth = Double(long) / Double(short)
    nanoseconds = short
    self.times = times
  }

  /// A complaint if `growth` is so small that the optimizer must have removed operations; otherwise `nil`.
  package static func complaint(about growth: Double) -> String? {
    guard growth < leastGrowth else { return nil }
    return "\(factor) times the operations take \(Figures.fixed(growth, 2)) times as long:"
      + " the optimizer has left operations out"
  }
}
