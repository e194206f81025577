package import Commands

extension Report {
  /// Why a document is no report.
  package struct Unreadable: Error, Equatable, CustomStringConvertible {
    package let description: String
  }

  /// Reads what `JSONReport` wrote.
  package init(document: JSONValue) throws(Unreadable) {
    let schema: Int = try document.member("schema", \.integer)
    guard schema == JSONReport.schema else {
      throw Unreadable(description: "its schema is \(schema), and this program reads \(JSONReport.schema)")
    }
    let machine = try document.member("machine", \.self)
    let build = try document.member("build", \.self)
    let options = try document.member("options", \.self)
    let seed: String = try options.member("seed", \.string)
    let effort: String = try options.member("effort", \.string)
    guard let seed = UInt64(seed), let effort = Options.Effort(rawValue: effort) else {
      throw Unreadable(description: "its options are of another program")
    }
    self.init(
      run: RunDescription(
        machine: MachineDescription(
          processor: try machine.member("processor", \.string),
          processorCount: try machine.member("processorCount", \.integer),
          architecture: try machine.member("architecture", \.string),
          system: try machine.member("system", \.string)),
        build: BuildDescription(
          isDebug: try build.member("configuration", \.string) == "debug",
          compiler: try build.member("compiler", \.string)),
        effort: effort, filter: Filter(try options.list("filter", \.string)), seed: seed,
        started: try document.member("startedAtUnixTime", \.integer),
        obstacleToInstructions: document["instructionsNotCountedBecause"]?.string),
      suites: try document.list("suites", \.self).map { suite throws(Unreadable) in
        SuiteReport(
          name: try suite.member("name", \.string), about: try suite.member("about", \.string),
          reading: try suite.member("reading", \.string))
      },
      contests: try document.list("contests", \.self).map(ContestReport.init(document:)),
      targets: try document.list("targets", \.self).map(TargetOutcome.init(document:)),
      unjudgedClaims: try document.list("targetsNotMeasured", \.string),
      redone: try document.member("roundsRedone", \.integer),
      complaints: try document.list("complaints", \.string),
      isInterrupted: try document.member("interrupted", \.bool))
  }
}

extension ContestReport {
  fileprivate init(document: JSONValue) throws(Report.Unreadable) {
    let metric: String = try document.member("metric", \.string)
    guard let metric = Metric(rawValue: metric) else {
      throw Report.Unreadable(description: "unknown metric '\(metric)'")
    }
    var parameter: Parameter?
    if let stored = document["parameter"], stored != .null {
      parameter = Parameter(try stored.member("name", \.string), try stored.member("value", \.number))
    }
    self.init(
      suite: try document.member("suite", \.string), group: try document.member("group", \.string),
      title: try document.member("title", \.string), metric: metric,
      threads: try document.member("threads", \.integer),
      reference: try document.member("reference", \.string), parameter: parameter,
      contestants: try document.list("contestants", \.self).map(ContestantReport.init(document:)))
  }
}

extension ContestantReport {
  fileprivate init(document: JSONValue) throws(Report.Unreadable) {
    var waitRound: WaitRound?
    if let stored = document["waitRound"], stored != .null {
      waitRound = WaitRound(
        nanoseconds: try stored.member("nanoseconds", \.integer),
        longestWait: try stored.member("longestWaitNanoseconds", \.integer))
    }
    self.init(
      name: try document.member("name", \.string),
      rounds: try document.list("rounds", \.number),
      disturbed: try document.list("disturbed", \.bool),
      involuntarySwitches: try document.list("involuntarySwitches", \.integer),
      lateStarts: try document.list("lateStarts", \.integer),
      fairness: try document.list("leastOverMostOperations", \.number),
      fairnessInAll: document["leastOverMostOperationsInAll"]?.number,
      processorNanoseconds: try document.list("processorNanosecondsPerOperation", \.number),
      sleeps: try document.list("sleepsPerOperation", \.number),
      instructions: try document.list("instructionsPerOperation", \.number),
      waits: try document.list("waits", \.integer),
      waitRound: waitRound,
      growth: document["timesAsLongForFourTimesTheOperations"]?.number)
  }
}

extension TargetOutcome {
  fileprivate init(document: JSONValue) throws(Report.Unreadable) {
    let unit: String = try document.member("unit", \.string)
    let bound =
      document["atMost"]?.number.map(Target.Bound.atMost)
      ?? document["atLeast"]?.number.map(
        Target.Bound.atLeast)
    guard let unit = Target.Unit(rawValue: unit), let bound else {
      throw Report.Unreadable(description: "a target without a known unit or a bound")
    }
    let figure = try document.member("figure", \.self)
    self.init(
      claim: try document.member("claim", \.string), unit: unit, bound: bound,
      figure: Summary(
        median: try figure.member("median", \.number),
        lowerQuartile: try figure.member("lowerQuartile", \.number),
        upperQuartile: try figure.member("upperQuartile", \.number)),
      holds: document["holds"]?.bool, isDisturbed: try document.member("disturbed", \.bool))
  }
}

extension JSONValue {
  /// A member that has to be there and to be of a kind.
  fileprivate func member<Kind>(
    _ name: String, _ kind: (JSONValue) -> Kind?
  ) throws(Report.Unreadable) -> Kind {
    guard let value = self[name].flatMap(kind) else {
      throw Report.Unreadable(description: "no '\(name)', or of another kind")
    }
    return value
  }

  /// A member that has to be an array of values of a kind.
  fileprivate func list<Kind>(
    _ name: String, _ kind: (JSONValue) -> Kind?
  ) throws(Report.Unreadable) -> [Kind] {
    let values: [JSONValue] = try member(name, \.array)
    let ofKind = values.compactMap(kind)
    guard ofKind.count == values.count else {
      throw Report.Unreadable(description: "'\(name)' has something of another kind")
    }
    return ofKind
  }
}
