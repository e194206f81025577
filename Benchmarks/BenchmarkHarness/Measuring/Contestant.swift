/// An implementation that takes part in a contest.
package struct Contestant: Sendable {
  /// The name of the contestant, unique within its contest.
  package let name: String
  /// The plain operations, which measure cost and throughput.
  package let batch: Batch
  /// The operations with a reading of the clock before each of them and one inside.
  ///
  /// The result is the longest time between these two readings. These operations have a round of their own,
  /// because reading the clock takes as long as an uncontended lock.
  package let waitBatch: Batch?
  /// Checks the result of all operations after the last round, and returns a description of an error.
  package let audit: @Sendable () -> String?

  /// All waits that were measured in all rounds, in nanoseconds, in a contest of waits.
  package let samples: @Sendable () -> [Int]
  package private(set) var category: Category?

  package init(
    name: String, batch: @escaping Batch, waitBatch: Batch? = nil,
    audit: @escaping @Sendable () -> String? = { nil }, samples: @escaping @Sendable () -> [Int] = { [] }
  ) {
    self.name = name
    self.batch = batch
    self.waitBatch = waitBatch
    self.audit = audit
    self.samples = samples
  }

  /// The same contestant under the title of a category.
  package func listed(under category: Category) -> Contestant {
    var contestant = self
    contestant.category = category
    return contestant
  }
}
