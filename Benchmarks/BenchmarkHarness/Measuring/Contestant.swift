/// An implementation that is measured and compared with others in a `Contest`, such as one of several locks.
package struct Contestant: Sendable {
  /// The name of the implementation, unique within its `Contest`.
  package let name: String
  /// Runs the operations that are measured.
  package let batch: Batch
  /// Runs the same operations as `batch`, and measures how long each of them waits for the lock.
  ///
  /// The result of a batch is its longest wait, in nanoseconds. Waits are measured in a round of their own,
  /// because reading the clock takes as long as acquiring an uncontended lock. If `waitBatch` is `nil`, the
  /// waits of this implementation are not measured.
  package let waitBatch: Batch?
  /// Checks the result of all operations after the last round.
  ///
  /// Returns the description of an error; `nil` if there is none.
  package let audit: @Sendable () -> String?

  /// Returns all waits of all rounds, in nanoseconds.
  ///
  /// The array is empty unless the metric of the `Contest` is `waits`.
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

  /// A copy of this contestant that tables list under `category`.
  package func listed(under category: Category) -> Contestant {
    var contestant = self
    contestant.category = category
    return contestant
  }
}
