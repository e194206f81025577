package import Commands

// This file defines the JSON format of a report; Benchmarks/README.md describes its members. `schema` must be
// increased if a member is removed or changes its meaning, but not if a member is added.

extension Report {
  private static let schema = 2

  /// Reads a report from a file that `--json` wrote; throws if the file can't be read or decoded.
  package init(file path: String) throws(FileFailure) {
    let text = try InputFile.text(path: path)
    do {
      try self.init(json: text)
    } catch {
      throw FileFailure("\(path) is no report: \(error)")
    }
  }

  /// Makes a report from its JSON text.
  package init(json text: String) throws(FileFailure) {
    struct Head: Decodable {
      let schema: Int
    }
    let schema = try JSON.value(Head.self, of: text).schema
    guard schema == Self.schema else {
      throw FileFailure("its schema is \(schema), and this program reads \(Self.schema)")
    }
    self = try JSON.value(Report.self, of: text)
  }

  /// The report as JSON text.
  package var json: String {
    get throws(FileFailure) { try JSON.text(self) }
  }
}

extension Report: Codable {
  private enum Member: String, CodingKey {
    case suites, contests, targets, targetsNotMeasured, roundsRedone, complaints, contention, interrupted
  }

  package init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Member.self)
    self.init(
      run: try RunDescription(from: decoder),
      suites: try members.decode([Suite.Heading].self, forKey: .suites),
      contests: try members.decode([ContestReport].self, forKey: .contests),
      targets: try members.decode([TargetOutcome].self, forKey: .targets),
      unjudgedClaims: try members.decode([String].self, forKey: .targetsNotMeasured),
      redone: try members.decode(Int.self, forKey: .roundsRedone),
      complaints: try members.decode([String].self, forKey: .complaints),
      contention: try members.decodeIfPresent(String.self, forKey: .contention),
      isInterrupted: try members.decode(Bool.self, forKey: .interrupted))
  }

  package func encode(to encoder: any Encoder) throws {
    try run.encode(to: encoder)
    let document: JSONObject = [
      "schema": Self.schema, "program": "swift-interlock benchmarks", "interrupted": isInterrupted,
      "noiseFloorPercent": [
        "oneThread": noiseFloor.oneThread, "severalThreads": noiseFloor.severalThreads,
        "byThreads": Dictionary(
          uniqueKeysWithValues: noiseFloor.byThreads.map { ("\($0.threads)", $0.percent) }),
        "handOffs": noiseFloor.percent[.handOffs], "waits": noiseFloor.percent[.waits],
      ] as JSONObject,
      "roundsRedone": redone, "roundsDisturbed": disturbedRounds, "complaints": complaints,
      "contention": contention, "suites": suites, "contests": contests, "targets": targets,
      "targetsNotMeasured": unjudgedClaims,
    ]
    try document.encode(to: encoder)
  }
}

extension RunDescription: Codable {
  private enum Member: String, CodingKey {
    case machine, build, options, effort, filter, seed, startedAtUnixTime, instructionsNotCountedBecause
  }

  package init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Member.self)
    let options = try members.nestedContainer(keyedBy: Member.self, forKey: .options)
    guard let seed = UInt64(try options.decode(String.self, forKey: .seed)) else {
      throw DecodingError.dataCorruptedError(forKey: .seed, in: options, debugDescription: "no number")
    }
    self.init(
      machine: try members.decode(MachineDescription.self, forKey: .machine),
      build: try members.decode(BuildDescription.self, forKey: .build),
      effort: try options.decode(Options.Effort.self, forKey: .effort),
      filter: Filter(try options.decode([String].self, forKey: .filter)), seed: seed,
      started: try members.decode(Int.self, forKey: .startedAtUnixTime),
      obstacleToInstructions: try members.decodeIfPresent(
        String.self, forKey: .instructionsNotCountedBecause))
  }

  package func encode(to encoder: any Encoder) throws {
    let document: JSONObject = [
      "machine": machine, "build": build, "startedAtUnixTime": started,
      "instructionsNotCountedBecause": obstacleToInstructions,
      // The seed is text, because some programs read 64-bit numbers inexactly.
      "options": ["effort": effort, "filter": filter.texts, "seed": String(seed)] as JSONObject,
    ]
    try document.encode(to: encoder)
  }
}

extension TargetOutcome: Codable {
  private enum Member: String, CodingKey {
    case claim, unit, atMost, atLeast, figure, holds, disturbed
  }

  package init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Member.self)
    let bound =
      if let most = try members.decodeIfPresent(Double.self, forKey: .atMost) {
        Target.Bound.atMost(most)
      } else {
        Target.Bound.atLeast(try members.decode(Double.self, forKey: .atLeast))
      }
    self.init(
      claim: try members.decode(String.self, forKey: .claim),
      unit: try members.decode(Target.Unit.self, forKey: .unit), bound: bound,
      figure: try members.decode(Summary.self, forKey: .figure),
      holds: try members.decodeIfPresent(Bool.self, forKey: .holds),
      isDisturbed: try members.decode(Bool.self, forKey: .disturbed))
  }

  package func encode(to encoder: any Encoder) throws {
    let limit: JSONObject =
      switch bound {
      case .atMost(let value): ["atMost": value]
      case .atLeast(let value): ["atLeast": value]
      }
    try limit.encode(to: encoder)
    let document: JSONObject = [
      "claim": claim, "unit": unit, "figure": figure, "holds": holds, "disturbed": isDisturbed,
      "verdict": verdict,
    ]
    try document.encode(to: encoder)
  }
}
