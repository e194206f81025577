package import Commands

/// Everything that was measured, for programs.
///
/// `schema` is raised when a member changes its meaning or goes away; new members may appear without that.
package struct JSONReport {
  /// The version of the document's form.
  package static let schema = 1

  private let run: RunDescription
  private let measurements: Measurements
  private let targets: [TargetOutcome]

  package init(run: RunDescription, measurements: Measurements, targets: [TargetOutcome]) {
    self.run = run
    self.measurements = measurements
    self.targets = targets
  }

  package var document: JSONValue {
    [
      "schema": .integer(Self.schema),
      "program": "swift-interlock benchmarks",
      "startedAtUnixTime": .integer(run.started),
      "build": ["configuration": .string(run.build.configuration), "compiler": .string(run.build.compiler)],
      "machine": [
        "processor": .string(run.machine.processor),
        "processorCount": .integer(run.machine.processorCount),
        "architecture": .string(run.machine.architecture),
        "system": .string(run.machine.system),
      ],
      "options": [
        "effort": .string(run.options.effort.rawValue),
        "filter": .array(run.options.filter.texts.map { .string($0) }),
      ],
      "roundsRedone": .integer(measurements.redone),
      "roundsDisturbed": .integer(measurements.disturbed),
      "complaints": .array(measurements.complaints.map { .string($0) }),
      "contests": .array(measurements.contests.map(contest)),
      "targets": .array(targets.map(target)),
    ]
  }

  private func contest(_ contest: ContestResult) -> JSONValue {
    [
      "suite": .string(contest.suite),
      "group": .string(contest.group),
      "title": .string(contest.title),
      "threads": .integer(contest.threads),
      "metric": .string(contest.metric.rawValue),
      "unit": .string(contest.metric.unit),
      "reference": .string(contest.reference),
      "contestants": .array(contest.contestants.map { contestant($0, in: contest) }),
    ]
  }

  private func contestant(_ contestant: ContestantResult, in contest: ContestResult) -> JSONValue {
    let values = contest.values(of: contestant)
    return [
      "name": .string(contestant.name),
      "rounds": .array(values.map { .number($0) }),
      "summary": summary(Summary(values)),
      "ratioToReference": summary(contest.ratioToReference(contestant)),
      "leastOverMostOperations": .array(contestant.rounds.map { .number($0.fairness) }),
      "disturbed": .array(contestant.rounds.map { .bool($0.isDisturbed) }),
      "involuntarySwitches": .array(contestant.rounds.map { .integer($0.involuntarySwitches) }),
      "lateStarts": .array(contestant.rounds.map { .integer($0.lateStarts) }),
      "waits": .array([0.5, 0.99, 1].map { contestant.wait(at: $0).map { .integer($0) } ?? .null }),
      "processorNanosecondsPerHandOff": contest.metric == .handOffs
        ? .array(contestant.rounds.map { .number($0.processorNanosecondsPerOperation) }) : .null,
      "sleepsPerHandOff": contest.metric == .handOffs
        ? .array(contestant.rounds.map { .number($0.sleepsPerOperation) }) : .null,
      "waitRound": contestant.waitRound.map { round in
        [
          "nanoseconds": .integer(Int(round.nanoseconds)),
          "longestWaitNanoseconds": .integer(round.longestWait),
        ]
      } ?? .null,
    ]
  }

  private func target(_ outcome: TargetOutcome) -> JSONValue {
    let bound: (name: String, value: Double) =
      switch outcome.target.bound {
      case .atMost(let value): ("atMost", value)
      case .atLeast(let value): ("atLeast", value)
      }
    let unit: JSONValue =
      switch outcome.target.quantity {
      case .ratio, .ratioToGreatest, .processorTime: "ratio"
      case .difference: "ns"
      case .longestWait: "s"
      }
    return [
      "claim": .string(outcome.target.claim),
      "unit": unit,
      bound.name: .number(bound.value),
      "figure": summary(outcome.figure),
      "holds": outcome.holds.map { .bool($0) } ?? .null,
      "disturbed": .bool(outcome.isDisturbed),
    ]
  }

  private func summary(_ summary: Summary?) -> JSONValue {
    guard let summary else { return .null }
    return [
      "median": .number(summary.median),
      "lowerQuartile": .number(summary.lowerQuartile),
      "upperQuartile": .number(summary.upperQuartile),
      "spreadPercent": summary.spread.map { .number($0) } ?? .null,
    ]
  }
}
