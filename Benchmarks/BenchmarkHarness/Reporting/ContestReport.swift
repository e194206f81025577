internal import Commands

/// The results of one contest.
package struct ContestReport: Sendable, Equatable, Decodable {
  package let suite: String
  package let group: String
  package let title: String
  package let metric: Metric
  package let threads: Int
  package let reference: String
  package var parameter: Parameter?
  /// Whether threads that don't belong to the harness did the work.
  ///
  /// The value is `nil` in reports of earlier versions, and then counts as `false`.
  package var runsOnOtherThreads: Bool?
  package var contestants: [ContestantReport]

  /// The names of the suite, the group and the contest.
  package var path: String { "\(suite), \(group), \(title)" }

  /// Whether the figures depend on the timing of several threads: always for waits and hand-offs, and never
  /// for counts.
  package var isOfSeveralThreads: Bool {
    switch metric {
    case .handOffs, .waits: true
    case .cost, .throughput, .frames: threads > 1 || runsOnOtherThreads == true
    case .bytes, .allocations: false
    }
  }

  /// The results of the implementation whose name is `name`; `nil` if it was not measured.
  package func contestant(_ name: String) -> ContestantReport? {
    contestants.first { $0.name == name }
  }

  /// Summarises the ratios of an implementation's figures to those of the reference, round by round.
  ///
  /// The result is `nil` if the reference was not measured, has another number of rounds, or has a figure of
  /// 0.
  package func ratioToReference(_ contestant: ContestantReport) -> Summary? {
    guard let reference = self.contestant(reference) else { return nil }
    return .ofRatios(contestant.rounds, over: reference.rounds)
  }

  /// The least number of rounds for a verdict.
  ///
  /// With fewer rounds, the quartiles would depend on the least and the greatest figure, which may
  /// be outliers.
  package static let leastRounds = 5

  /// Whether the implementation and the reference have enough rounds for a verdict.
  ///
  /// Counts don't vary, so one round is enough for them.
  func hasEnoughRounds(_ contestant: ContestantReport) -> Bool {
    metric.isCounted
      || min(contestant.rounds.count, self.contestant(reference)?.rounds.count ?? .max) >= Self.leastRounds
  }

  /// Whether most rounds of the implementation, or of the reference, were disturbed.
  package func isRatioDisturbed(_ contestant: ContestantReport) -> Bool {
    contestant.isDisturbed || self.contestant(reference)?.isDisturbed == true
  }
}

extension ContestReport: Encodable {
  package func encode(to encoder: any Encoder) throws {
    let document: JSONObject = [
      "suite": suite, "group": group, "title": title, "metric": metric, "unit": metric.unit,
      "threads": threads, "reference": reference, "parameter": parameter,
      "runsOnOtherThreads": runsOnOtherThreads,
      "contestants": contestants.map { ContestantEntry(contestant: $0, contest: self) },
    ]
    try document.encode(to: encoder)
  }
}

/// The results of a contestant in the JSON format, with derived figures, so that other programs need not
/// compute them.
private struct ContestantEntry: Encodable {
  let contestant: ContestantReport
  let contest: ContestReport

  func encode(to encoder: any Encoder) throws {
    try contestant.encode(to: encoder)
    let computed: JSONObject = [
      "summary": contestant.summary, "ratioToReference": contest.ratioToReference(contestant),
      "mark": contestant.mark.map { "\($0)" },
    ]
    try computed.encode(to: encoder)
  }
}
