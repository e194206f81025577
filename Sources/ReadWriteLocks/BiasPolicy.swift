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

  /// How many central reads a thread makes for each report.
  @inlinable
  package static var readsPerReport: UInt32 { 8 }

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
