/// A set of implementations (contestants) that are measured under the same conditions: one column of a table.
package struct Contest: Sendable {
  /// The name of the table in which the contest is a column, such as "2 threads".
  package let group: String
  /// The title of the contest's column, such as "90 % reads".
  package let title: String
  package let metric: Metric
  /// The number of threads that run the operations at the same time.
  package let threads: Int
  /// The number of threads whose operations don't count; they are the last of the `threads` threads.
  ///
  /// For example, to show whether the use of a lock slows down other threads, one thread calculates and an
  /// attendant uses a lock. Only the operations of the calculation count.
  package let attendants: Int
  /// The unit of batch sizes: each batch has a multiple of this number of operations.
  ///
  /// For example, if a mix of reads and writes repeats after 100 operations, each batch must contain whole
  /// repetitions.
  package let operationUnit: Int
  /// The name of the implementation with which the others are compared.
  package let reference: String
  package var contestants: [Contestant]
  /// Whether waits are measured in a round that is long enough to see a thread starve.
  package let seeksStarvation: Bool
  /// The number that differs between the columns of the table, such as the reads in a display frame.
  ///
  /// Charts show this number on the horizontal axis. It is `nil` if the columns differ in something else.
  package let parameter: Parameter?
  /// The least effort of a run that measures the contest; a run with less effort skips it.
  package let leastEffort: Options.Effort
  /// The maximum number of rounds; `nil` for as many as the schedule allows.
  package let mostRounds: Int?
  /// Whether the work is done by threads that don't belong to the harness, such as those of tasks.
  ///
  /// The harness can't see when these threads lose their processors, so it can't detect disturbed rounds.
  package let runsOnOtherThreads: Bool

  /// Whether a `Session` adds a round that measures waits.
  ///
  /// A contest of one thread has no such round, because its thread never waits for another one.
  var measuresWaits: Bool {
    threads > 1 && contestants.contains { $0.waitBatch != nil }
  }

  package init(
    group: String, title: String, metric: Metric, threads: Int, attendants: Int = 0, operationUnit: Int,
    reference: String, contestants: [Contestant], seeksStarvation: Bool = false, parameter: Parameter? = nil,
    leastEffort: Options.Effort = .quick, mostRounds: Int? = nil, runsOnOtherThreads: Bool = false
  ) {
    self.group = group
    self.title = title
    self.metric = metric
    self.threads = threads
    self.attendants = attendants
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
