@testable import BenchmarkHarness
internal import Foundation

extension Suite {
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
              name: name,
              batch: { _, operations in
                // The result depends on each operation, so that the optimizer can't remove any.
                (0..<operations).reduce(0) { sum, _ in
                  sum &+ Int(truncatingIfNeeded: SystemInstruments.now())
                }
              }, waitBatch: { _, count in count }, audit: { complaint })
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
        record.usage.involuntarySwitches = switches
        return record
      })
  }
}

extension RunDescription {
  /// A run on an imaginary machine.
  static func sample(
    processor: String = "A \"fast\" processor", processorCount: Int = 4, filter: [String] = []
  ) -> RunDescription {
    RunDescription(
      machine: Machine(processor: processor, processorCount: processorCount, system: "Some system"),
      configuration: "release", compiler: "Swift 9", effort: .standard, filter: filter,
      startedAtUnixTime: 1_000)
  }
}

extension Report {
  /// A report of one contest, with the given figures for each round of its contestants.
  ///
  /// The first contestant is the reference.
  static func sample(
    _ figures: KeyValuePairs<String, [Double]>, suite: String = "sample", metric: Metric = .cost,
    threads: Int = 1, runsOnOtherThreads: Bool = false, isDisturbed: Bool = false,
    run: RunDescription = .sample()
  ) -> Report {
    let contest = ContestReport(
      suite: suite, group: "group", title: "first", metric: metric, threads: threads,
      reference: figures[0].key, runsOnOtherThreads: runsOnOtherThreads,
      contestants: figures.map { name, rounds in
        ContestantReport(name: name, rounds: rounds, disturbed: rounds.map { _ in isDisturbed })
      })
    return Report(
      run: run, suites: [Suite.Heading(name: suite, about: "a question", reading: "")], contests: [contest])
  }

  /// A report with the contests of several others.
  static func joining(_ reports: Report...) -> Report {
    Report(
      run: reports[0].run, suites: reports.flatMap(\.suites), contests: reports.flatMap(\.contests))
  }

  /// A report with all kinds of contests, and contestants whose names and figures are hard to draw.
  static func variety() -> Report {
    let names = ["ref <&>"] + (1...13).map { "contestant with a long name \($0)" }
    func contest(
      _ suite: String, _ group: String, _ title: String, _ metric: Metric, threads: Int = 1,
      parameter: Double? = nil, scale: Double = 1
    ) -> ContestReport {
      ContestReport(
        suite: suite, group: group, title: title, metric: metric, threads: threads, reference: names[0],
        parameter: parameter, parameterName: parameter.map { _ in "reads <n>" },
        contestants: names.enumerated().map { index, name in
          // Some figures are close together, some far apart, and some have a wide spread.
          let figure = scale * (index % 3 == 0 ? 10 : index == 13 ? 90_000 : 10 + Double(index))
          let spread = index % 4 == 1 ? 0.5 : 0.01
          return ContestantReport(
            name: name,
            category: index < 4 ? nil : Category("kind \(index / 4)", "what <\(index / 4)> means"),
            rounds: [figure, figure * (1 + spread), figure * (1 - spread)],
            disturbed: [index == 2, index == 2, false], fairness: 0.5,
            processorNanoseconds: [0.2, 0.2, 0.2], sleeps: [1], waits: [10, 1_000, 2_000_000 * (index + 1)],
            longestWait: 900, waitRoundDuration: 1_000, growth: 4)
        })
    }
    return Report(
      run: .sample(processor: "<A> & \"B\""),
      suites: ["one", "two", NoiseFloor.suite].map {
        Suite.Heading(name: $0, about: "a & b", reading: "1 < 2")
      },
      contests: [
        contest("one", "alone", "read", .cost), contest("one", "alone", "write", .cost),
        contest("one", "2 threads", "50 %", .throughput, threads: 2),
        contest("one", "16 threads", "50 %", .throughput, threads: 16, scale: 0.1),
        contest("two", "a writer", "waits", .waits, threads: 16), contest("two", "hand", "offs", .handOffs),
        contest("two", "bytes", "of a lock", .bytes),
        contest("two", "bytes", "of all", .allocations, scale: 0),
        contest(NoiseFloor.suite, "1 thread", "read", .cost),
      ]
        + [1_000, 10_000, 100_000].map {
          contest("two", "frames", "\($0)", .frames, parameter: $0, scale: 100 / $0)
        }, roundsRedone: 3, complaints: ["something & other"], isInterrupted: true)
  }
}

/// A path for a temporary file that does not exist.
func temporaryPath() -> String {
  FileManager.default.temporaryDirectory.appendingPathComponent("benchmarks-\(UUID().uuidString)").path
}
