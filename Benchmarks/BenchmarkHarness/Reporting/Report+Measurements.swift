extension Report {
  /// What a session measured, and what it says about the claims.
  package init(
    run: RunDescription, suites: [Suite], targets: [Target] = [], measurements: Measurements
  ) {
    let outcomes = targets.map { (claim: $0.claim, outcome: $0.outcome(in: measurements)) }
    self.init(
      run: run,
      suites: suites.map { SuiteReport(name: $0.name, about: $0.about, reading: $0.reading) },
      contests: measurements.contests.map(ContestReport.init),
      targets: outcomes.compactMap(\.outcome),
      unjudgedClaims: outcomes.compactMap { $0.outcome == nil ? $0.claim : nil },
      redone: measurements.redone,
      complaints: measurements.complaints,
      isInterrupted: measurements.isInterrupted)
  }
}

extension ContestReport {
  /// What was measured in a contest.
  package init(_ result: ContestResult) {
    self.init(
      suite: result.suite, group: result.group, title: result.title, metric: result.metric,
      threads: result.threads, reference: result.reference, parameter: result.parameter,
      contestants: result.contestants.map { ContestantReport($0, metric: result.metric) })
  }
}

extension ContestantReport {
  /// What was measured of a contestant.
  package init(_ result: ContestantResult, metric: Metric) {
    let rounds = result.rounds
    // In a contest that counts, the clock says nothing, and what others do changes nothing.
    let timed = metric.isCounted ? [] : rounds
    let instructions = timed.compactMap(\.instructionsPerOperation)
    self.init(
      name: result.name,
      rounds: rounds.map { metric.value(of: $0) },
      disturbed: rounds.map { $0.isDisturbed && !metric.isCounted },
      involuntarySwitches: rounds.map(\.involuntarySwitches),
      lateStarts: rounds.map(\.lateStarts),
      fairness: rounds.map(\.fairness),
      fairnessInAll: result.fairness,
      processorNanoseconds: timed.map(\.processorNanosecondsPerOperation),
      sleeps: timed.filter { $0.workers.count == 1 }.map(\.sleepsPerOperation),
      instructions: instructions.count == rounds.count ? instructions : [],
      waits: [0.5, 0.99, 1].compactMap(result.wait),
      waitRound: result.waitRound.map {
        WaitRound(nanoseconds: Int($0.nanoseconds), longestWait: $0.longestWait)
      },
      growth: result.growth)
  }
}
