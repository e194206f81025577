/// Detects loops that the optimiser has removed: four times the operations take no longer.
package struct OptimiserGuard: Sendable, Equatable {
  /// The ratio of the longer batch's operations to the shorter one's.
  package static let factor = 4

  /// The least growth of a loop that executes its operations.
  private static let leastGrowth = Double(factor) / 2

  /// The minimum time of the shorter batch, in nanoseconds, so that reading the clock does not matter.
  private static let leastTime: UInt64 = 10_000

  /// The maximum time of the shorter batch after which it is not made longer, in nanoseconds.
  private static let mostTime: UInt64 = 10_000_000

  /// The maximum factor by which the shorter batch is made longer.
  private static let mostTimes = 1 << 20

  /// The ratio of the longer batch's time to the shorter one's, by the shortest of several tries of each.
  package let growth: Double
  /// The factor by which the shorter batch was made longer.
  package let times: Int
  /// The shortest time of the shorter batch, in nanoseconds.
  package let nanoseconds: UInt64

  /// Measures the growth of a loop.
  ///
  /// One try is enough if the result is clear. Further tries are for machines that are busy with other work.
  /// Each takes twice as long as the one before, so that disturbances affect both batches alike.
  ///
  /// - Parameter time: Runs `times` times the operations of a batch; returns nanoseconds.
  package init(measuring time: (_ times: Int) -> UInt64) {
    var times = 1
    var (short, long) = (time(1), UInt64.max)
    for attempt in 0..<10 {
      if attempt > 0, times < Self.mostTimes, short < Self.mostTime {
        times *= 2
        (short, long) = (time(times), UInt64.max)
      }
      // The batch is checked in each try, because a disturbance may have made an earlier one seem long
      // enough.
      while short < Self.leastTime, times < Self.mostTimes {
        times *= 2
        (short, long) = (time(times), UInt64.max)
      }
      long = min(long, time(times * Self.factor))
      if Double(long) / Double(short) >= Self.leastGrowth { break }
      short = min(short, time(times))
      if Double(long) / Double(short) >= Self.leastGrowth { break }
    }
    growth = Double(long) / Double(short)
    nanoseconds = short
    self.times = times
  }

  /// Describes what is wrong with a growth, if anything.
  package static func complaint(about growth: Double) -> String? {
    guard growth < leastGrowth else { return nil }
    return "\(factor) times the operations take \(Figures.fixed(growth, 2)) times as long:"
      + " the optimiser has left operations out"
  }
}
