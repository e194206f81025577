/// All that a run has to say: what the tables, the charts, the page and the JSON file are made of.
///
/// It can be written to a JSON file and read again, so that everything can be shown without measuring.
package struct Report: Sendable, Equatable {
  package let run: RunDescription
  package let suites: [SuiteReport]
  package let contests: [ContestReport]
  package let targets: [TargetOutcome]
  /// Claims about what was not measured in this run.
  package let unjudgedClaims: [String]
  /// Attempts that were thrown away because they were disturbed.
  package let redone: Int
  package let complaints: [String]
  /// Whether the run was told to stop before its end.
  package let isInterrupted: Bool

  package init(
    run: RunDescription, suites: [SuiteReport], contests: [ContestReport], targets: [TargetOutcome] = [],
    unjudgedClaims: [String] = [], redone: Int = 0, complaints: [String] = [], isInterrupted: Bool = false
  ) {
    self.run = run
    self.suites = suites
    self.contests = contests
    self.targets = targets
    self.unjudgedClaims = unjudgedClaims
    self.redone = redone
    self.complaints = complaints
    self.isInterrupted = isInterrupted
  }

  /// Rounds that stand although they were disturbed.
  package var disturbedRounds: Int {
    contests.flatMap(\.contestants).reduce(0) { $0 + $1.disturbed.count { $0 } }
  }

  package var rounds: Int {
    contests.flatMap(\.contestants).reduce(0) { $0 + $1.rounds.count }
  }

  /// Whether so many rounds were disturbed that no figure of several threads is to be trusted.
  package var isDisturbed: Bool { disturbedRounds * 10 > rounds }

  /// The suites that have figures, each with the groups of its contests, in their order.
  package var groups: [(suite: SuiteReport, groups: [Group])] {
    suites.compactMap { suite in
      var groups: [Group] = []
      for contest in contests where contest.suite == suite.name {
        if let index = groups.firstIndex(where: { $0.name == contest.group && $0.metric == contest.metric }) {
          groups[index].contests.append(contest)
        } else {
          groups.append(Group(name: contest.group, metric: contest.metric, contests: [contest]))
        }
      }
      return groups.isEmpty ? nil : (suite, groups)
    }
  }

  /// Contests of one group, all of the same metric: the columns of a table.
  package struct Group: Sendable {
    package let name: String
    package let metric: Metric
    package var contests: [ContestReport]

    /// All contestants' names, in the order of their first appearance.
    package var names: [String] {
      var names: [String] = []
      for contestant in contests.flatMap(\.contestants) where !names.contains(contestant.name) {
        names.append(contestant.name)
      }
      return names
    }
  }

  /// What a debug build's tables, charts and page are labelled with; `nil` for a release build.
  package var debugLabel: String? {
    run.build.isDebug ? "DEBUG BUILD, not a measurement" : nil
  }
}
