/// The results of a benchmark run.
///
/// The tables, the charts, the HTML page and the JSON file are made from a report. A report can be read back
/// from its JSON file, to show its results without a new run.
package struct Report: Sendable, Equatable {
  package let run: RunDescription
  package let suites: [Suite.Heading]
  package let contests: [ContestReport]
  package var targets: [TargetOutcome] = []
  /// The performance claims that this run could not check, because it lacks their figures.
  package var unjudgedClaims: [String] = []
  /// The number of rounds that were discarded because other programs disturbed them.
  package var redone = 0
  package var complaints: [String] = []
  /// A profile of contention, as a table; `nil` if the run recorded none.
  package var contention: String?
  /// Whether the run ended early, so that some contests are missing or have fewer rounds.
  package var isInterrupted = false

  /// The number of disturbed rounds whose figures the report contains.
  package var disturbedRounds: Int {
    contests.flatMap(\.contestants).reduce(0) { $0 + $1.disturbed.count { $0 } }
  }

  package var rounds: Int {
    contests.flatMap(\.contestants).reduce(0) { $0 + $1.rounds.count }
  }

  /// Whether more than a quarter of the rounds in which disturbances can be detected were disturbed.
  ///
  /// If so, the figures of the contests in which disturbances can't be detected are unreliable too, except
  /// for counts.
  package var isDisturbed: Bool {
    let disturbed = contests.filter(showsDisturbances).flatMap(\.contestants).flatMap(\.disturbed)
    return disturbed.count { $0 } * 4 > disturbed.count
  }

  /// Whether the harness can detect that other programs disturbed the rounds of a contest.
  ///
  /// It can't if threads outnumber processors, or if threads other than its workers do the measured work. The
  /// result is also `false` for counts, which are never disturbed.
  private func showsDisturbances(_ contest: ContestReport) -> Bool {
    contest.threads <= run.machine.processorCount && contest.metric != .handOffs
      && !contest.metric.isCounted && contest.runsOnOtherThreads != true
  }

  /// Whether other programs disturbed the figures of a contestant.
  ///
  /// In a contest whose disturbances can't be detected, all figures count as disturbed if the run as a whole
  /// was disturbed. Counts are never disturbed.
  package func isDisturbed(_ contestant: ContestantReport, in contest: ContestReport) -> Bool {
    contestant.isDisturbed || (!contest.metric.isCounted && !showsDisturbances(contest) && isDisturbed)
  }

  /// The suites that have figures, each with the groups of its contests, in the order of the run.
  package var groups: [(suite: Suite.Heading, groups: [Group])] {
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

  /// A table of results: its columns are contests with the same metric.
  package struct Group: Sendable {
    package let name: String
    package let metric: Metric
    package var contests: [ContestReport]

    /// The names of all measured implementations, category by category.
    package var names: [String] { categories.flatMap(\.names) }

    /// The categories, each with the names of its implementations, in the order of first appearance.
    ///
    /// Implementations without a category are listed under `nil`.
    package var categories: [(category: Category?, names: [String])] {
      var categories: [(category: Category?, names: [String])] = []
      var known: Set<String> = []
      for contestant in contests.flatMap(\.contestants) where known.insert(contestant.name).inserted {
        if let index = categories.firstIndex(where: { $0.category == contestant.category }) {
          categories[index].names.append(contestant.name)
        } else {
          categories.append((contestant.category, [contestant.name]))
        }
      }
      return categories
    }
  }

  /// The warning that tables, charts and the HTML page show in a debug build; `nil` for a release build.
  package var debugLabel: String? {
    run.build.isDebug ? "DEBUG BUILD, not a measurement" : nil
  }
}

extension Report {
  /// Explains `contention` to the readers of the tables and of the HTML page.
  static let aboutContention =
    "Which code waited for locks while a profile was recorded, and which code released them. Only the contests"
    + " whose names end in 'profiled' are recorded."

  /// Makes a report of the results of a `Session`, and checks each claim about performance.
  package init(run: RunDescription, suites: [Suite], targets: [Target] = [], measurements: Measurements) {
    self.init(
      run: run, suites: suites.map(\.heading), contests: measurements.contests, redone: measurements.redone,
      complaints: measurements.complaints + targets.compactMap { $0.complaint(in: measurements.contests) },
      isInterrupted: measurements.isInterrupted)
    for target in targets {
      if let outcome = target.outcome(in: contests, isDisturbed: isDisturbed) {
        self.targets.append(outcome)
      } else {
        unjudgedClaims.append(target.claim)
      }
    }
  }
}
