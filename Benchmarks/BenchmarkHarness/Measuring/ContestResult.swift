/// What was measured in one contest.
package struct ContestResult: Sendable {
  package let suite: String
  package let group: String
  package let title: String
  package let metric: Metric
  package let threads: Int
  package let reference: String
  package let parameter: Parameter?
  package var contestants: [ContestantResult]

  package init(suite: String, contest: Contest) {
    self.suite = suite
    group = contest.group
    title = contest.title
    metric = contest.metric
    threads = contest.threads
    reference = contest.reference
    parameter = contest.parameter
    contestants = contest.contestants.map { ContestantResult(name: $0.name) }
  }

  /// The names of suite, group and contest.
  package var path: String { "\(suite), \(group), \(title)" }

  /// A contestant by its name; `nil` when it was not measured.
  package func contestant(_ name: String) -> ContestantResult? {
    contestants.first { $0.name == name }
  }

  /// The figures of a contestant, one for each round.
  package func values(of contestant: ContestantResult) -> [Double] {
    contestant.rounds.map { metric.value(of: $0) }
  }

  /// Leaves out the last round of those that got one more than others, because the session was interrupted in it.
  ///
  /// Ratios are of rounds that all contestants had.
  mutating func dropUnfinishedRound() {
    let common = contestants.map(\.rounds.count).min() ?? 0
    for index in contestants.indices {
      contestants[index].rounds.removeLast(contestants[index].rounds.count - common)
    }
  }
}
