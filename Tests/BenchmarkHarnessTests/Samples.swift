@testable import BenchmarkHarness

extension Suite {
  /// A batch that reads the clock once for each operation, so that it takes time.
  ///
  /// Returns the sum of the readings, so that the optimiser can't remove the operations.
  private static func spend(worker: Int, operations: Int) -> Int {
    (0..<operations).reduce(0) { sum, _ in sum &+ Int(truncatingIfNeeded: SystemInstruments.now()) }
  }

  /// A suite named "sample" with the given contests and names of contestants, which only read the clock.
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
              name: name, batch: spend, waitBatch: { _, count in count },
              audit: { complaint })
          })
      })
  }
}

extension Round {
  /// A round with the given number of operations for each worker.
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
  /// A round of one worker with 100 operations and the given use of the processor.
  static func sample(usage nanoseconds: Int, sleeps: Int) -> Round {
    var record = WorkerRecord()
    record.operations = 100
    record.finished = 1_000
    record.usage = ProcessUsage(processorNanoseconds: nanoseconds, sleeps: sleeps)
    return Round(workers: [record])
  }
}

extension Measurements {
  /// Measurements of two contestants, "a" and "b", with the given nanoseconds per operation in each round.
  ///
  /// - Parameter wait: The longest wait, in nanoseconds, in an extra round of 1.5 s; `nil` for no such round.
  static func sample(_ a: [UInt64], _ b: [UInt64], wait: Int? = nil) -> Measurements {
    sample(
      [a, b].map { costs in costs.map { .sample(nanoseconds: $0 * 100, operations: [100]) } },
      waitRound: wait.map { .sample(nanoseconds: 1_500_000_000, operations: [1], wait: $0) })
  }

  /// Measurements of two contestants, "a" and "b", with the given rounds.
  static func sample(_ rounds: [[Round]], waitRound: Round? = nil) -> Measurements {
    let suite = Suite.sample(contests: ["first": ["a", "b"]])
    let contest = suite.contests[0]
    let report = ContestReport(
      suite: suite.name, group: contest.group, title: contest.title, metric: contest.metric,
      threads: contest.threads, reference: contest.reference,
      contestants: zip(contest.contestants, rounds).map {
        ContestantReport($0, metric: contest.metric, rounds: $1, waitRound: waitRound)
      })
    return Measurements(contests: [report], redone: 3, complaints: [])
  }
}

extension RunDescription {
  /// A run on an imaginary machine.
  static func sample(
    isDebug: Bool = false, processor: String = "A \"fast\" processor", filter: [String] = []
  ) -> RunDescription {
    RunDescription(
      machine: MachineDescription(
        processor: processor, processorCount: 4, architecture: "x86_64", system: "Some system"),
      build: BuildDescription(isDebug: isDebug, compiler: "Swift 9"), effort: .standard,
      filter: Filter(filter), seed: .max, started: 1_000, obstacleToInstructions: "No such counter")
  }
}

extension Report {
  /// A report of one contest, with the given figures for each round of its contestants.
  ///
  /// The first contestant is the reference.
  static func sample(
    _ figures: KeyValuePairs<String, [Double]>, suite: String = "sample", metric: Metric = .cost,
    threads: Int = 1, runsOnOtherThreads: Bool? = nil, isDisturbed: Bool = false,
    run: RunDescription = .sample(), targets: [TargetOutcome] = [], unjudgedClaims: [String] = []
  ) -> Report {
    let contest = ContestReport(
      suite: suite, group: "group", title: "first", metric: metric, threads: threads,
      reference: figures[0].key, runsOnOtherThreads: runsOnOtherThreads,
      contestants: figures.map { name, rounds in
        ContestantReport(name: name, rounds: rounds, disturbed: rounds.map { _ in isDisturbed })
      })
    return Report(
      run: run, suites: [Suite.Heading(name: suite, about: "a question", reading: "")], contests: [contest],
      targets: targets, unjudgedClaims: unjudgedClaims)
  }

  /// A report with all kinds of contests, and many contestants whose names and figures are hard to lay out.
  static func variety(isDebug: Bool = false, processor: String = "<A> & \"B\"") -> Report {
    let names = ["ref <&>"] + (1...13).map { "contestant with a long name \($0)" }
    func contestants(_ scale: Double) -> [ContestantReport] {
      names.enumerated().map { index, name in
        // Some figures are close together, some far apart, and some have a wide spread.
        let figure = scale * (index % 3 == 0 ? 10 : index == 13 ? 90_000 : 10 + Double(index))
        let spread = index % 4 == 1 ? 0.5 : 0.01
        return ContestantReport(
          name: name,
          category: index < 4 ? nil : Category("kind \(index / 4)", "what <\(index / 4)> means"),
          rounds: [figure, figure * (1 + spread), figure * (1 - spread)],
          disturbed: [index == 2, index == 2, false], fairnessInAll: 0.5,
          processorNanoseconds: [0.2, 0.2, 0.2],
          sleeps: [1], waits: [10, 1_000, 2_000_000 * (index + 1)],
          waitRound: ContestantReport.WaitRound(nanoseconds: 1_000, longestWait: 900), growth: 4)
      }
    }
    func contest(
      _ suite: String, _ group: String, _ title: String, _ metric: Metric, threads: Int = 1,
      parameter: Parameter? = nil, scale: Double = 1
    ) -> ContestReport {
      ContestReport(
        suite: suite, group: group, title: title, metric: metric, threads: threads, reference: names[0],
        parameter: parameter, contestants: contestants(scale))
    }
    let contests =
      [
        contest("one", "alone", "read", .cost), contest("one", "alone", "write", .cost),
        contest("one", "2 threads", "50 %", .throughput, threads: 2),
        contest("one", "16 threads", "50 %", .throughput, threads: 16, scale: 0.1),
        contest("two", "a writer", "waits", .waits, threads: 16), contest("two", "hand", "offs", .handOffs),
        contest("two", "bytes", "of a lock", .bytes),
        contest("two", "bytes", "of all", .allocations, scale: 0),
        contest(NoiseFloor.suite, "1 thread", "read", .cost),
      ]
      + [1_000, 10_000, 100_000].map { count in
        contest(
          "two", "frames", "\(count)", .frames, parameter: Parameter("reads <n>", count), scale: 100 / count)
      }
    return Report(
      run: .sample(isDebug: isDebug, processor: processor),
      suites: ["one", "two", NoiseFloor.suite].map {
        Suite.Heading(name: $0, about: "a & b", reading: "1 < 2")
      },
      contests: contests,
      targets: [
        TargetOutcome(
          claim: "a / b", unit: .ratio, bound: .atMost(1),
          figure: Summary(median: 0.5, lowerQuartile: 0.4, upperQuartile: 0.6), holds: true,
          isDisturbed: false),
        TargetOutcome(
          claim: "wait", unit: .seconds, bound: .atMost(1),
          figure: Summary(median: 0.5, lowerQuartile: 0.5, upperQuartile: 0.5), holds: nil,
          isDisturbed: true),
        TargetOutcome(
          claim: "a - b", unit: .nanoseconds, bound: .atLeast(1),
          figure: Summary(median: 0.5, lowerQuartile: 0.4, upperQuartile: 0.6), holds: false,
          isDisturbed: false),
      ],
      unjudgedClaims: ["c"], redone: 3, complaints: ["something & other"], contention: "waits in f<T> & g",
      isInterrupted: true)
  }
}
