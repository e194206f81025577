internal import PlatformLocks

/// How long a biased lock waits before it lets readers into slots: how many reads in a row it wants to see.
///
/// `BiasedReadWriteCore` has the reasoning.
@usableFromInline
package enum BiasPolicy {
  /// Letting readers in and out again costs about as much as this many reads save.
  package static let leastPatience: UInt32 = 32

  /// The same where no other thread has to be interrupted: still more than the rows of a load that writes often.
  package static let leastPatienceAlone: UInt32 = 24

  /// About 0.1 ms of reads: how late a load that has become read-mostly is noticed.
  package static let mostPatience: UInt32 = 4_096

  /// How many reads a thread makes before it reports them, at least.
  ///
  /// This and the other numbers are primes, so that a thread which reads several locks in turn does not report to one of them
  /// alone.
  package static let leastReadsPerReport: Int32 = 7

  /// The same at most: a thread that finds no rows looks for them this rarely.
  package static let mostReadsPerReport: Int32 = 61

  /// How many reads a report adds to the row at most; and after how many a thread that has found no row looks again.
  private static let mostReadsAdded: Int32 = 19

  /// How many reads a report adds to the row.
  ///
  /// Not all when they are many: the writes that came since the thread's last report may have come after most of them.
  ///
  /// - Parameters:
  ///   - reads: How many central reads the thread has made since its last report.
  ///   - isInRow: Whether any thread has reported since the last write.
  package static func readsAdded(by reads: Int32, isInRow: Bool) -> UInt32 {
    UInt32(isInRow ? min(reads, mostReadsAdded) : leastReadsPerReport)
  }

  /// How many central reads a thread makes for its next report.
  ///
  /// - Parameters:
  ///   - reads: How many it made for the one before.
  ///   - isInRow: Whether any thread has reported since the last write.
  package static func readsPerReport(after reads: Int32, isInRow: Bool) -> Int32 {
    if isInRow { return leastReadsPerReport }
    return reads < mostReadsAdded ? mostReadsAdded : reads < 37 ? 37 : mostReadsPerReport
  }

  // MARK: After a bias with barriers

  /// About how long readers that a writer has turned away stay away, in nanoseconds.
  private static let nanosecondsAway: UInt64 = 400

  private static let ticksAway = Ticks.perMicrosecond * nanosecondsAway / 1_000

  /// Whether a bias in which readers entered with a barrier has saved more than it cost.
  ///
  /// - Parameters:
  ///   - lifetime: How long it lasted, in ticks.
  ///   - cost: How long it took to look through the slots at its end, in ticks.
  package static func isWorthIt(lifetime: UInt64, cost: UInt64) -> Bool {
    lifetime >= cost / 2 + ticksAway
  }

  /// What came of a bias in which readers entered with a barrier.
  package enum Outcome {
    /// It saved more than it cost.
    case worthIt
    /// It lasted long enough, and nobody has told of reads.
    case unproven
    /// It cost more than it saved.
    case inVain
  }

  /// The patience after a bias in which readers entered with a barrier.
  package static func patience(after patience: UInt32, _ outcome: Outcome) -> UInt32 {
    switch outcome {
    case .worthIt: max(patience / 2, leastPatience)
    case .unproven: min(patience + patience / 4, mostPatience)
    case .inVain: min(patience * 2, mostPatience)
    }
  }

  /// The patience after a report that found a row long enough for a less patient lock only.
  ///
  /// Some tens of such rows, and the lock tries again.
  package static func patience(afterNearMissAt patience: UInt32) -> UInt32 {
    patience - max(1, patience / 256)
  }

  /// Where the patience is no more than this after a bias, the next reader starts another: it takes several biases in vain to
  /// end that.
  package static let mostPatienceToResume: UInt32 = 128

  /// How many pauses a reader makes that waits for a bias to be resumed: about a microsecond.
  package static let roundsUntilResumed = 24

  // MARK: Doing without barriers

  /// How many reads in a row it takes at least to let readers do without a barrier; about what interrupting others costs where
  /// they don't run.
  package static let leastFencePatience: UInt32 = 128

  /// The same at most: by then the barriers have cost as much as an interrupt.
  package static let mostFencePatience: UInt32 = 2_048

  /// How many reads in a row to wait for, after readers have done without a barrier.
  ///
  /// A barrier makes a read three to four times as long.
  ///
  /// - Parameters:
  ///   - patience: How many it were before.
  ///   - lifetime: How long readers did without, in ticks.
  ///   - cost: How long it took to make every thread see the end, in ticks.
  package static func fencePatience(after patience: UInt32, lifetime: UInt64, cost: UInt64) -> UInt32 {
    lifetime >= cost / 2 ? max(patience / 2, leastFencePatience) : min(patience * 2, mostFencePatience)
  }

  /// The patience after a bias that ended while no other thread had a record.
  package static func patienceWhenAlone(after patience: UInt32) -> UInt32 {
    max(patience / 2, leastPatienceAlone)
  }
}
