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

  /// After how many reads a thread reports them to the lock that it reads then.
  ///
  /// Through the central lock, a thread looks for rows. A look is a report, which begins a row where there is none, and another
  /// one soon after it, which finds that row or a write since. Where it finds the row, the reports go on like that; otherwise
  /// the thread pauses, and about twice as long each time, until it has found a long row. (A thread's first report counts as the
  /// end of a look, and so does the one that finds a row ended. Where single reports were 61 reads apart at most, those of
  /// a load without rows cost up to 4 % of its sections.)
  ///
  /// Looks begin 19, 37, 73, 145, 289 and 577 reads after one another, and fenced reads are reported after 61: where that stays the
  /// same, it is a prime, so that a thread which reads several locks in turn reports to all of them.
  package struct Reports: Equatable, Sendable {
    package static let readsInLook: Int32 = 7
    package static let leastInterval: Int32 = 19
    package static let longestInterval: Int32 = 577
    package static let fencedReads: Int32 = 61
    private static let mostReadsAdded: Int32 = 19

    /// How many reads the next report is about.
    package private(set) var reads = readsInLook

    /// How many reads after the present look the next one begins, if that is in vain.
    private var interval = leastInterval

    package init() {}

    /// Begins to count for the next report; the thread is in the central lock.
    ///
    /// - Parameter row: How many reads have been reported since the last write, by any thread.
    /// - Returns: How many they are with those of this report. Not all of those count when they are many: the writes that came
    ///   since the thread's last report may have come after most of them.
    package mutating func reportCentral(row: UInt32) -> UInt32 {
      let isInRow = row != 0
      let longerRow = row &+ UInt32(isInRow ? min(reads, Self.mostReadsAdded) : Self.readsInLook)
      if longerRow >= leastPatienceAlone {
        // Two reports that happen to come between the same writes, as those of a load without rows now and then do, are no reason.
        interval = Self.leastInterval
      }
      if isInRow || reads != Self.readsInLook {
        reads = Self.readsInLook
      } else {
        reads = interval - Self.readsInLook
        interval = min(2 * interval - 1, Self.longestInterval)
      }
      return longerRow
    }

    /// The same in a slot that was entered with a barrier.
    package mutating func reportFenced() -> UInt32 {
      defer {
        reads = Self.fencedReads
        interval = Self.leastInterval
      }
      return UInt32(min(reads, Self.fencedReads))
    }
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
