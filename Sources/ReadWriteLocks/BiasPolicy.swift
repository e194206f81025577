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

  /// How many central reads a thread makes before it reports them, at least.
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

  /// The patience after a bias that has ended.
  ///
  /// - Parameters:
  ///   - patience: The patience before it.
  ///   - lifetime: How long it lasted, in ticks.
  ///   - cost: How long it took to make every thread see the end, in ticks.
  ///   - isContended: Whether readers met in the central lock, so that its reads were dear.
  package static func patience(after patience: UInt32, lifetime: UInt64, cost: UInt64, isContended: Bool)
    -> UInt32
  {
    let saved = lifetime.multipliedReportingOverflow(by: isContended ? 16 : 2)
    return saved.overflow || saved.partialValue >= cost
      ? max(patience / 2, leastPatience) : min(patience * 2, mostPatience)
  }

  /// The patience after a bias that ended while no other thread had a record.
  package static func patienceWhenAlone(after patience: UInt32) -> UInt32 {
    max(patience / 2, leastPatienceAlone)
  }
}
