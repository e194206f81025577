internal import Foundation

/// The results of a run.
///
/// The tables, the page and the JSON file are made from a report. A report can be read back from its JSON
/// file, to show its results without a new run.
package struct Report: Sendable, Equatable, Codable {
  /// Increases if a member is removed or changes its meaning, but not if a member is added.
  package static let schema = 3

  package var schema = Self.schema
  package var run: RunDescription
  package var suites: [Suite.Heading]
  package var contests: [ContestReport]
  /// The number of rounds that were discarded because other programs disturbed them.
  package var roundsRedone = 0
  /// Broken locks, loops that were optimized away, and rounds that did not end.
  package var complaints: [String] = []
  /// Whether the run ended early, so that some contests are missing or have fewer rounds.
  package var isInterrupted = false

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
  /// It can't if threads outnumber processors, or if threads other than its workers do the measured work.
  private func showsDisturbances(_ contest: ContestReport) -> Bool {
    contest.threads <= run.machine.processorCount && contest.metric != .handOffs
      && !contest.metric.isCounted && !contest.runsOnOtherThreads
  }

  /// Whether the figures of a contestant are too few for a verdict, or were disturbed by other programs.
  ///
  /// In a contest whose disturbances can't be detected, all figures count as disturbed if the run as a whole
  /// was disturbed. Counts are never disturbed, and one round is enough for them.
  package func isUndecided(_ contestant: ContestantReport, in contest: ContestReport) -> Bool {
    if contest.metric.isCounted { return false }
    return contestant.rounds.count < ContestReport.leastRounds || contestant.isDisturbed
      || (!showsDisturbances(contest) && isDisturbed)
  }

  /// The results of a contestant; `nil` if it was not measured.
  package func figures(
    _ path: Target.Path
  ) -> (contest: ContestReport, contestant: ContestantReport)? {
    contests.first { $0.suite == path.suite && $0.group == path.group && $0.title == path.contest }
      .flatMap { contest in contest.contestant(path.contestant).map { (contest, $0) } }
  }
}

/// The results of one contest.
package struct ContestReport: Sendable, Equatable, Codable {
  package let suite: String
  package let group: String
  package let title: String
  package let metric: Metric
  package let threads: Int
  package let reference: String
  /// The number that differs between the columns of a table, and its name; `nil` if there is none.
  package var parameter: Double?
  package var parameterName: String?
  /// Whether threads that don't belong to the harness did the work.
  package var runsOnOtherThreads = false
  package var contestants: [ContestantReport]

  /// The least number of rounds for a verdict.
  ///
  /// With fewer rounds, the quartiles would depend on the least and the greatest figure, which may
  /// be outliers.
  package static let leastRounds = 5

  /// The names of the suite, the group and the contest.
  package var path: String { "\(suite), \(group), \(title)" }

  /// Whether the figures depend on the timing of several threads: always for waits and hand-offs, and never
  /// for counts.
  package var isOfSeveralThreads: Bool {
    switch metric {
    case .handOffs, .waits: true
    case .cost, .throughput, .frames: threads > 1 || runsOnOtherThreads
    case .bytes, .allocations: false
    }
  }

  /// The results of the contestant whose name is `name`; `nil` if it was not measured.
  package func contestant(_ name: String) -> ContestantReport? { contestants.first { $0.name == name } }

  /// The ratios of a contestant's figures to those of the reference, round by round.
  ///
  /// The result is `nil` if the reference was not measured, has another number of rounds, or has a figure of
  /// 0.
  package func ratioToReference(_ contestant: ContestantReport) -> Summary? {
    self.contestant(reference).flatMap { .combining(contestant.rounds, $0.rounds, /) }
  }
}

/// The results of one contestant in a contest.
package struct ContestantReport: Sendable, Equatable, Codable {
  package let name: String
  package var category: Category?
  /// The figure of each round, in the unit of the `Metric`.
  package var rounds: [Double]
  /// For each round, whether it was disturbed.
  package var disturbed: [Bool] = []
  /// For all rounds together, the operations of the slowest worker divided by those of the fastest; `nil` if
  /// there are no rounds.
  package var fairness: Double?
  /// For each round, the processor time for one operation, in nanoseconds; empty for counts.
  package var processorNanoseconds: [Double] = []
  /// For each round, the number of times that the process's threads slept, divided by the operations.
  ///
  /// The array is empty for counts, and if the rounds had several workers.
  package var sleeps: [Double] = []
  /// The median, the 99th percentile and the longest of the waits that the contestant itself measured, in
  /// nanoseconds; empty if the `Metric` is not `waits`.
  package var waits: [Int] = []
  /// The longest wait in the round that measured waits, in nanoseconds; `nil` if there was no such round.
  package var longestWait: Int?
  /// The duration of that round, in nanoseconds.
  package var waitRoundDuration: Int?
  /// The factor by which a batch takes longer with four times the operations; `nil` if not measured.
  package var growth: Double?

  /// Whether the end of the round may have cut off the longest wait.
  ///
  /// This is assumed of a wait that took more than 80 % of the round.
  package var isWaitCut: Bool { Double(longestWait ?? 0) > Double(waitRoundDuration ?? 0) * 0.8 }

  /// The median and the quartiles of the rounds' figures; `nil` if there are none.
  package var summary: Summary? { Summary(rounds) }

  /// Whether most of the rounds were disturbed, so that the figures are unreliable.
  package var isDisturbed: Bool { disturbed.count { $0 } * 2 > disturbed.count }
}

extension ContestantReport {
  init(
    _ contestant: Contestant, metric: Metric, rounds: [Round], waitRound: Round?, growth: Double?,
    samples: [Int]
  ) {
    let timed = metric.isCounted ? [] : rounds
    let samples = samples.sorted()
    self.init(
      name: contestant.name, category: contestant.category, rounds: rounds.map(metric.value),
      disturbed: rounds.map { $0.isDisturbed && !metric.isCounted }, fairness: Round.fairness(of: rounds),
      processorNanoseconds: timed.map(\.processorNanosecondsPerOperation),
      sleeps: timed.compactMap(\.sleepsPerOperation),
      waits: samples.isEmpty
        ? [] : [0.5, 0.99, 1].map { samples[min(samples.count - 1, Int(Double(samples.count) * $0))] },
      longestWait: waitRound?.longestWait, waitRoundDuration: waitRound.map { Int($0.nanoseconds) },
      growth: growth)
  }
}

// MARK: JSON

extension Report {
  /// Makes a report from its JSON text.
  package init(json text: String) throws {
    struct Head: Decodable {
      let schema: Int
    }
    let data = Data(text.utf8)
    let schema = try JSONDecoder().decode(Head.self, from: data).schema
    guard schema == Self.schema else {
      throw Failure("its schema is \(schema), and this program reads \(Self.schema)")
    }
    self = try JSONDecoder().decode(Report.self, from: data)
  }

  /// The report as JSON text in one line, with members sorted by name.
  package var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    }
  }
}
