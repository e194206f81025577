/// What a report says of one contest.
package struct ContestReport: Sendable, Equatable {
  package let suite: String
  package let group: String
  package let title: String
  package let metric: Metric
  package let threads: Int
  package let reference: String
  package let parameter: Parameter?
  package let contestants: [ContestantReport]

  package init(
    suite: String, group: String, title: String, metric: Metric, threads: Int, reference: String,
    parameter: Parameter? = nil, contestants: [ContestantReport]
  ) {
    self.suite = suite
    self.group = group
    self.title = title
    self.metric = metric
    self.threads = threads
    self.reference = reference
    self.parameter = parameter
    self.contestants = contestants
  }

  /// The names of suite, group and contest.
  package var path: String { "\(suite), \(group), \(title)" }

  /// A contestant by its name; `nil` when it was not measured.
  package func contestant(_ name: String) -> ContestantReport? {
    contestants.first { $0.name == name }
  }

  /// A contestant's figures over those of the reference, round by round; `nil` when the reference was not measured, or
  /// is 0.
  package func ratioToReference(_ contestant: ContestantReport) -> Summary? {
    guard let reference = self.contestant(reference) else { return nil }
    return .ofRatios(contestant.rounds, over: reference.rounds)
  }

  /// Whether most rounds of a contestant, or of what it is compared with, were disturbed.
  package func isRatioDisturbed(_ contestant: ContestantReport) -> Bool {
    contestant.isDisturbed || self.contestant(reference)?.isDisturbed == true
  }
}
