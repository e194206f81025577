package import Commands

/// A report as a JSON document; `Report(document:)` reads it.
///
/// Benchmarks/README.md describes the members. `schema` is raised when a member changes its meaning or goes away; new
/// members may appear without that.
package struct JSONReport {
  /// The version of the document's form.
  package static let schema = 2

  private let report: Report

  package init(_ report: Report) {
    self.report = report
  }

  package var document: JSONValue {
    let run = report.run
    return [
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
        "effort": .string(run.effort.rawValue),
        "filter": .array(run.filter.texts.map { .string($0) }),
        // As text: not every program's numbers have 64 bits.
        "seed": .string(String(run.seed)),
      ],
      "interrupted": .bool(report.isInterrupted),
      "instructionsNotCountedBecause": run.obstacleToInstructions.map { .string($0) } ?? .null,
      "noiseFloorPercent": noiseFloor,
      "roundsRedone": .integer(report.redone),
      "roundsDisturbed": .integer(report.disturbedRounds),
      "complaints": strings(report.complaints),
      "suites": .array(
        report.suites.map {
          ["name": .string($0.name), "about": .string($0.about), "reading": .string($0.reading)]
        }),
      "contests": .array(report.contests.map(contest)),
      "targets": .array(report.targets.map(target)),
      "targetsNotMeasured": strings(report.unjudgedClaims),
    ]
  }

  private var noiseFloor: JSONValue {
    let floor = report.noiseFloor
    return [
      "oneThread": floor.oneThread.map { .number($0) } ?? .null,
      "severalThreads": floor.severalThreads.map { .number($0) } ?? .null,
    ]
  }

  private func contest(_ contest: ContestReport) -> JSONValue {
    [
      "suite": .string(contest.suite),
      "group": .string(contest.group),
      "title": .string(contest.title),
      "threads": .integer(contest.threads),
      "metric": .string(contest.metric.rawValue),
      "unit": .string(contest.metric.unit),
      "reference": .string(contest.reference),
      "parameter": contest.parameter.map { ["name": .string($0.name), "value": .number($0.value)] } ?? .null,
      "contestants": .array(contest.contestants.map { contestant($0, in: contest) }),
    ]
  }

  private func contestant(_ contestant: ContestantReport, in contest: ContestReport) -> JSONValue {
    [
      "name": .string(contestant.name),
      "rounds": numbers(contestant.rounds),
      "summary": summary(contestant.summary),
      "ratioToReference": summary(contest.ratioToReference(contestant)),
      "mark": contestant.mark.map { .string("\($0)") } ?? .null,
      "disturbed": .array(contestant.disturbed.map { .bool($0) }),
      "involuntarySwitches": integers(contestant.involuntarySwitches),
      "lateStarts": integers(contestant.lateStarts),
      "leastOverMostOperations": numbers(contestant.fairness),
      "leastOverMostOperationsInAll": contestant.fairnessInAll.map { .number($0) } ?? .null,
      "processorNanosecondsPerOperation": numbers(contestant.processorNanoseconds),
      "sleepsPerOperation": numbers(contestant.sleeps),
      "instructionsPerOperation": numbers(contestant.instructions),
      "waits": integers(contestant.waits),
      "waitRound": contestant.waitRound.map { round in
        [
          "nanoseconds": .integer(round.nanoseconds),
          "longestWaitNanoseconds": .integer(round.longestWait),
        ]
      } ?? .null,
      "timesAsLongForFourTimesTheOperations": contestant.growth.map { .number($0) } ?? .null,
    ]
  }

  private func target(_ outcome: TargetOutcome) -> JSONValue {
    let bound: (name: String, value: Double) =
      switch outcome.bound {
      case .atMost(let value): ("atMost", value)
      case .atLeast(let value): ("atLeast", value)
      }
    return [
      "claim": .string(outcome.claim),
      "unit": .string(outcome.unit.rawValue),
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

  private func numbers(_ values: [Double]) -> JSONValue { .array(values.map { .number($0) }) }

  private func integers(_ values: [Int]) -> JSONValue { .array(values.map { .integer($0) }) }

  private func strings(_ values: [String]) -> JSONValue { .array(values.map { .string($0) }) }
}
