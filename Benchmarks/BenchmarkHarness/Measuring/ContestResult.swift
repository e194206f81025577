/// What was measured in one contest.
package struct ContestResult: Sendable {
  package let suite: String
  package let group: String
  package let title: String
  package let metric: Metric
  package let threads: Int
  package let reference: String
  package var contestants: [ContestantResult]

  package init(suite: String, contest: Contest) {
    self.suite = suite
    group = contest.group
    title = contest.title
    metric = contest.metric
    threads = contest.threads
    reference = contest.reference
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

  /// A contestant's figures over those of the reference, round by round.
  package func ratioToReference(_ contestant: ContestantResult) -> Summary? {
    guard let reference = self.contestant(reference) else { return nil }
    return .ofRatios(values(of: contestant), over: values(of: reference))
  }
}
