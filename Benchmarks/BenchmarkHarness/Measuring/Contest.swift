/// Contestants measured under the same conditions: one column of a table.
package struct Contest: Sendable {
  /// The table it is a column of, such as "2 threads".
  package let group: String
  /// Its column, such as "90 % reads".
  package let title: String
  package let metric: Metric
  /// How many threads run the operations at the same time.
  package let threads: Int
  /// The operations of a batch are a multiple of this.
  package let operationUnit: Int
  /// The contestant that the others are compared with.
  package let reference: String
  package var contestants: [Contestant]
  /// Whether waits are measured for so long that a starving thread shows.
  package let seeksStarvation: Bool
  /// What the contests of a group differ in, where that is a number: charts have it for their horizontal
  /// axis.
  package let parameter: Parameter?
  /// The shortest kind of run that has the time for it.
  package let leastEffort: Options.Effort
  /// Measured in so many rounds, where the schedule has more; `nil` for all of the schedule's.
  package let mostRounds: Int?

  /// Whether a further round measures waits: never where a thread is alone.
  var measuresWaits: Bool {
    threads > 1 && contestants.contains { $0.waitBatch != nil }
  }

  package init(
    group: String, title: String, metric: Metric, threads: Int, operationUnit: Int, reference: String,
    contestants: [Contestant], seeksStarvation: Bool = false, parameter: Parameter? = nil,
    leastEffort: Options.Effort = .quick, mostRounds: Int? = nil
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
  }
}
