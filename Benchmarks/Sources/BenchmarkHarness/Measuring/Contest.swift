/// Runs `operations` operations in a loop, on the thread with the index `worker`.
///
/// One call runs many operations, so that the cost of the call is negligible.
///
/// The result must depend on each operation, so that the optimizer can't remove any of them. For some kinds
/// of `Metric`, the result is a measurement: the longest wait in nanoseconds, or the number of allocations or
/// bytes.
package typealias Batch = @Sendable (_ worker: Int, _ operations: Int) -> Int

/// An implementation that is measured and compared with others in a `Contest`, such as one of several locks.
package struct Contestant: Sendable {
  /// The name, unique within its `Contest`.
  package let name: String
  /// Runs the operations that are measured.
  package let batch: Batch
  /// Runs the same operations as `batch`, and measures how long each of them waits for the lock; `nil` if
  /// waits are not measured.
  ///
  /// The result of a batch is its longest wait, in nanoseconds. Waits are measured in a round of their own,
  /// because reading the clock takes as long as acquiring an uncontended lock.
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

/// A property that some contestants share, such as being inlined; tables list them under its title.
package struct Category: Sendable, Equatable, Codable {
  /// One or two words, such as "lock".
  package let title: String
  /// A phrase that describes the contestants, such as "a lock around an unchecked field".
  package let about: String

  package init(_ title: String, _ about: String) {
    self.title = title
    self.about = about
  }
}

/// A set of contestants that are measured under the same conditions: one column of a table.
package struct Contest: Sendable {
  /// The name of the table in which the contest is a column, such as "2 threads".
  package let group: String
  /// The title of the contest's column, such as "90 % reads".
  package let title: String
  package let metric: Metric
  /// The number of threads that run the operations at the same time.
  package let threads: Int
  /// The unit of batch sizes: each batch has a multiple of this number of operations.
  ///
  /// For example, if a mix of reads and writes repeats after 100 operations, each batch must contain whole
  /// repetitions.
  package let operationUnit: Int
  /// The name of the contestant with which the others are compared.
  package let reference: String
  package var contestants: [Contestant]
  /// Whether waits are measured in a round that is long enough to see a thread starve.
  package let seeksStarvation: Bool
  /// The number that differs between the columns of the table, such as the reads in a display frame, and its
  /// name; `nil` if they differ in something else.
  package let parameter: (name: String, value: Double)?
  /// The least effort of a run that measures the contest; a run with less effort skips it.
  package let leastEffort: Effort
  /// The maximum number of rounds; `nil` for as many as the effort has.
  package let mostRounds: Int?
  /// Whether threads that don't belong to the harness, such as those of tasks, do the work or a part of it.
  ///
  /// The harness can't see when these threads lose their processors, so it can't detect disturbed rounds.
  package let runsOnOtherThreads: Bool

  package init(
    group: String, title: String, metric: Metric, threads: Int = 1, operationUnit: Int,
    reference: String, contestants: [Contestant], seeksStarvation: Bool = false,
    parameter: (name: String, value: Double)? = nil, leastEffort: Effort = .quick, mostRounds: Int? = nil,
    runsOnOtherThreads: Bool = false
  ) {
    self.group = group
    self.title = title
    self.metric = metric
    self.threads = threads
    self.operationUnit = operationUnit
    self.reference = reference
    self.contestants = contestants
    self.seeksStarvation = seeksStarvation
    self.parameter = parameter
    self.leastEffort = leastEffort
    self.mostRounds = mostRounds
    self.runsOnOtherThreads = runsOnOtherThreads
  }
}
