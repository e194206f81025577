internal import BenchmarkHarness

extension Suite {
  /// A suite named "sample" with one group, whose contestants do nothing.
  static func sample(
    contests: KeyValuePairs<String, [String]>, threads: Int = 1, metric: Metric = .cost,
    complaint: String? = nil
  ) -> Suite {
    Suite(
      name: "sample", about: "nothing is done",
      contests: contests.map { title, contestants in
        Contest(
          group: "group", title: title, metric: metric, threads: threads, operationUnit: 10,
          reference: contestants[0],
          contestants: contestants.map { name in
            Contestant(
              name: name, batch: { _, count in count }, waitBatch: { _, count in count },
              audit: { complaint })
          })
      })
  }
}

extension Round {
  /// A round in which each of the workers did as many operations as the list says.
  static func sample(nanoseconds: UInt64, operations: [Int], switches: Int = 0, wait: Int = 0) -> Round {
    Round(
      workers: operations.map { operations in
        var record = WorkerRecord()
        record.operations = operations
        record.started = 1_000
        record.began = 1_000
        record.finished = 1_000 + nanoseconds
        record.greatestResult = wait
        record.involuntarySwitches = switches
        return record
      })
  }
}

extension Round {
  /// A round of one worker with 100 operations.
  static func sample(usage nanoseconds: Int, sleeps: Int) -> Round {
    var record = WorkerRecord()
    record.operations = 100
    record.finished = 1_000
    record.usage = ProcessUsage(processorNanoseconds: nanoseconds, sleeps: sleeps)
    return Round(workers: [record])
  }
}

extension Measurements {
  /// Two contestants, "a" and "b", with the costs of their rounds in nanoseconds.
  static func sample(_ a: [UInt64], _ b: [UInt64], wait: Int? = nil) -> Measurements {
    let suite = Suite.sample(contests: ["first": ["a", "b"]])
    var contest = ContestResult(suite: suite.name, contest: suite.contests[0])
    for (position, costs) in [a, b].enumerated() {
      contest.contestants[position].rounds = costs.map { .sample(nanoseconds: $0 * 100, operations: [100]) }
      if let wait {
        contest.contestants[position].waitRound = .sample(
          nanoseconds: 1_500_000_000, operations: [1], wait: wait)
      }
    }
    return Measurements(contests: [contest], redone: 3, complaints: [])
  }
}

extension RunDescription {
  /// A run on a machine that does not exist.
  static func sample(isDebug: Bool = false) -> RunDescription {
    RunDescription(
      machine: MachineDescription(
        processor: "A \"fast\" processor", processorCount: 4, architecture: "x86_64", system: "Some system"),
      build: BuildDescription(isDebug: isDebug, compiler: "Swift 9"), options: Options(), started: 1_000)
  }
}
