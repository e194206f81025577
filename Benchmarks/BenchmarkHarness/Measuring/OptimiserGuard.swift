/// Finds loops that the optimiser has taken away: those take as long for four times the operations.
package struct OptimiserGuard: Sendable, Equatable {
  /// How many times the operations the longer batch has.
  package static let factor = 4

  /// A loop that does its operations can't come out below this.
  private static let leastGrowth = Double(factor) / 2

  /// What the shorter batch has to take, in nanoseconds, for the reading of the clock to vanish in it.
  private static let leastTime: UInt64 = 10_000

  /// What the shorter batch may take before it is made longer, in nanoseconds.
  private static let mostTime: UInt64 = 10_000_000

  /// How many times the given operations the shorter batch may have.
  private static let mostTimes = 1 << 20

  /// How many times as long the longer batch takes, by the shortest of some tries of each.
  package let growth: Double
  /// How many times the given operations the shorter batch has.
  package let times: Int
  /// What it takes at least, in nanoseconds.
  package let nanoseconds: UInt64

  /// Tries a loop.
  ///
  /// One try is enough where it leaves no doubt; the others are for machines that do something else as well,
  /// and take twice as long each: what disturbs the machine then comes to both batches alike.
  ///
  /// - Parameter time: Runs so many times the operations of a batch; returns nanoseconds.
  package init(measuring time: (_ times: Int) -> UInt64) {
    var times = 1
    var (short, long) = (time(1), UInt64.max)
    for attempt in 0..<10 {
      if attempt > 0, times < Self.mostTimes, short < Self.mostTime {
        times *= 2
        (short, long) = (time(times), UInt64.max)
      }
      // Here and not before: what was long enough at first may have been disturbed.
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

  /// What is wrong with such a growth, if anything.
  package static func complaint(about growth: Double) -> String? {
    guard growth < leastGrowth else { return nil }
    return "\(factor) times the operations take \(Figures.fixed(growth, 2)) times as long:"
      + " the optimiser has left operations out"
  }
}
