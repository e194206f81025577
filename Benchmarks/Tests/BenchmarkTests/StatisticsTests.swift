@testable import BenchmarkHarness
internal import Foundation
internal import Testing

@Suite("Summary")
struct SummaryTests {
  @Test("The median is the figure in the middle, or between the two in the middle")
  func quartiles() throws {
    let summary = try #require(Summary([6, 2, 5, 3, 4]))
    #expect(summary.median == 4)
    #expect(summary.lowerQuartile == 3)
    #expect(summary.upperQuartile == 5)
    #expect(summary.halfWidth == 1)
    #expect(summary.spread == 25)
    let even = try #require(Summary([10, 40, 20, 30]))
    // The quartiles are at the positions 0.75 and 2.25, counted from 0, in 10, 20, 30, 40.
    #expect([even.lowerQuartile, even.median, even.upperQuartile, even.spread] == [17.5, 25, 32.5, 30])
  }

  @Test("No figures and no numbers have no summary; one figure and a median of 0 have no spread")
  func degenerate() throws {
    #expect(Summary([]) == nil)
    #expect(Summary([1, .nan]) == nil)
    #expect(Summary([1, .infinity]) == nil)
    #expect(try #require(Summary([7])).spread == 0)
    #expect(try #require(Summary([-1, 0, 1])).spread == nil)
  }

  @Test("Ratios and differences are of the same round, not of the medians")
  func pairs() {
    // In the second round, the machine was ten times slower, and so both figures are ten times as great.
    let ratios = Summary.combining([2, 20, 6], [1, 10, 2]) { $0 / $1 }
    #expect(ratios?.median == 2)
    #expect(ratios?.upperQuartile == 2.5)
    let differences = Summary.combining([12, 110, 13], [10, 109, 10]) { $0 - $1 }
    #expect(differences?.median == 2)
    for (left, right) in [([1.0, 2], [1.0]), ([], []), ([1], [0])] {
      #expect(Summary.combining(left, right) { $0 / $1 } == nil)
    }
  }

  @Test("Half as fast is as far away as twice as fast")
  func distance() throws {
    #expect(Distance.percent(ofRatio: 1.25) == 25)
    #expect(Distance.percent(ofRatio: 0.8) == 25)
    let quartiles = try #require(Summary([100, 100, 110, 121, 121]))
    #expect(abs(Distance.percent(betweenQuartilesOf: quartiles) - 10) < 1e-9)
    #expect(Distance.percent(betweenQuartilesOf: try #require(Summary([0, 0]))) == 0)
  }
}

@Suite("Figures")
struct FiguresTests {
  @Test("A figure has three digits that mean something, and a time the unit that suits it")
  func texts() {
    for (value, text) in [
      (0.0123, "0.012"), (0.00046, "0.00046"), (4e-7, "0.00000040"), (0, "0"), (0.5, "0.500"),
      (9.99, "9.99"), (12.34, "12.3"), (123.4, "123"), (12_345, "12345"), (-0.25, "-0.250"),
      (.infinity, "–"),
    ] {
      #expect(Figures.significant(value) == text)
    }
    for (nanoseconds, text) in [
      (0.0, "0 ns"), (999, "999 ns"), (1_000, "1.00 µs"), (12_340_000, "12.3 ms"), (2_500_000_000, "2.50 s"),
    ] {
      #expect(Figures.duration(nanoseconds: nanoseconds) == text)
    }
    #expect([0.34, 12.6, nil].map(Figures.percent) == ["±0.3%", "±13%", "–"])
  }
}

@Suite("Noise floor")
struct NoiseFloorTests {
  private func contest(
    _ other: Double, threads: Int, suite: String = NoiseFloor.suite, metric: Metric = .throughput
  ) -> ContestReport {
    Report.sample(
      ["one": [10, 10, 10], "other": [other, other, other]], suite: suite, metric: metric, threads: threads
    ).contests[0]
  }

  @Test("It is the greatest difference between two identical contestants, for each number of threads")
  func greatest() {
    let floor = NoiseFloor([
      contest(10.1, threads: 1),
      // A figure that is 1.05 times smaller counts as a difference of 5 %, like one that is 1.05 times
      // greater.
      contest(10 / 1.05, threads: 1), contest(11, threads: 2), contest(12, threads: 16),
      contest(13, threads: 1, metric: .handOffs), contest(14, threads: 4, metric: .waits),
      contest(99, threads: 2, suite: "other"),
    ])
    func percent(threads: Int, _ metric: Metric = .throughput) -> Double? {
      floor.floor(of: contest(10, threads: threads, suite: "locks", metric: metric))
        .map { ($0 * 1e6).rounded() / 1e6 }
    }
    #expect(percent(threads: 1) == 5)
    #expect(percent(threads: 1, .cost) == 5)
    #expect(percent(threads: 2) == 10)
    #expect(percent(threads: 16) == 20)
    #expect(percent(threads: 1, .handOffs) == 30)
    #expect(percent(threads: 16, .waits) == 40)
    // There is no contest with 8 threads, so the result is the greatest noise floor of several threads.
    #expect(percent(threads: 8) == 20)
    #expect(percent(threads: 1, .bytes) == 0)
    #expect(
      floor.text
        == "5.0 % with 1 thread, 10.0 % with 2 threads, 20.0 % with 16 threads, 30.0 % in hand-offs,"
        + " 40.0 % in longest waits")
    // Where several threads were not measured, nothing is known of them.
    #expect(NoiseFloor([contest(11, threads: 1)]).floor(of: contest(10, threads: 2)) == nil)
    #expect(NoiseFloor([contest(11, threads: 1, suite: "locks")]).text == nil)
  }

  @Test("Identical contestants on a disturbed machine are neither slower nor faster")
  func identical() {
    var random = SystemRandomNumberGenerator()
    /// A run with identical contestants in two suites, on a machine that other programs slow down.
    ///
    /// In the suite "locks", the disturbances are half as strong as in the self-check. The contestant that they
    /// slow down is chosen at random. The least noise floor that matters is 10 %, and so the small noise of the
    /// rounds, at most 4 % in all four figures together, does not decide.
    func disturbedRun() -> Report {
      let bias = Double.random(in: -0.5...0.5, using: &random)
      func report(_ suite: String, _ bias: Double) -> Report {
        // In each round, one number affects both contestants, and another only "other".
        let figures = (0..<9).map { _ in Double.random(in: 10...40, using: &random) }
        let others = figures.map { $0 * exp(bias + Double.random(in: -0.01...0.01, using: &random)) }
        return .sample(["one": figures, "other": others], suite: suite)
      }
      let isReversed = Bool.random(using: &random)
      return .joining(report(NoiseFloor.suite, bias), report("locks", isReversed ? -0.5 * bias : 0.5 * bias))
    }
    for _ in 0..<100 {
      let comparison = Comparison(of: disturbedRun(), with: disturbedRun())
      #expect(comparison.changes.map(\.isJudged) == [true])
      #expect(comparison.slower.isEmpty && comparison.faster.isEmpty)
    }
  }
}

@Suite("Round")
struct RoundTests {
  @Test("Cost, throughput and fairness are of all workers together")
  func figures() {
    let round = Round.sample(nanoseconds: 1_000, operations: [100, 300, 400])
    #expect(Metric.cost.value(of: round) == 1.25)
    #expect(Metric.throughput.value(of: round) == 800)
    #expect(Round.fairness(of: [round]) == 0.25)
    #expect(Round.fairness(of: [round, .sample(nanoseconds: 1, operations: [300, 100, 0])]) == 1)
    #expect(Round.fairness(of: [.sample(nanoseconds: 10, operations: [0, 0])]) == 0)
    #expect(Round.fairness(of: []) == nil)
    // A round lasts until its last worker has finished, and no time at all is no division by zero.
    var workers = round.workers
    workers[1].finished += 500
    #expect(Round(workers: workers).nanoseconds == 1_500)
    #expect(Round.sample(nanoseconds: 0, operations: [1]).nanoseconds == 1)
  }

  @Test("The longest wait and the disturbances are those of any worker; a worker may begin late")
  func workersTogether() {
    var workers = Round.sample(nanoseconds: 2_000, operations: [1, 1], switches: 2, wait: 30).workers
    workers[0].greatestResult = 900
    #expect(Round(workers: workers).longestWait == 900)
    workers[0].began += 100
    #expect(Round(workers: workers).disturbances == 4)
    workers[0].began += 1
    #expect(Round(workers: workers).disturbances == 5)
  }

  @Test("Processor time is the process's where one worker may have helpers, else the threads'")
  func processorTime() {
    var workers = Round.sample(nanoseconds: 10, operations: [10, 30]).workers
    for index in 0...1 { workers[index].usage.threadNanoseconds = 200 }
    workers[1].usage.processNanoseconds = 9_000
    workers[1].usage.sleeps = 3
    #expect(Round(workers: workers).processorNanosecondsPerOperation == 10)
    #expect(Round(workers: workers).sleepsPerOperation == nil)
    let alone = Round(workers: [workers[1]])
    #expect(alone.processorNanosecondsPerOperation == 300)
    #expect(alone.sleepsPerOperation == 0.1)
  }

  @Test("The counts of batches are divided by the operations, and no display shows more than 120 frames")
  func counts() {
    var workers = Round.sample(nanoseconds: 10, operations: [10]).workers
    workers[0].checksum = 640
    #expect(Metric.bytes.value(of: Round(workers: workers)) == 64)
    #expect(Metric.allocations.value(of: Round(workers: workers)) == 64)
    #expect(Metric.frames.value(of: .sample(nanoseconds: 1_000_000_000, operations: [30])) == 30)
    #expect(Metric.frames.value(of: .sample(nanoseconds: 1_000_000_000, operations: [30_000])) == 120)
  }
}

@Suite("Redoing disturbed rounds")
struct RedoPolicyTests {
  /// Measures one round, and returns it and the number of attempts.
  ///
  /// - Parameter disturbances: The number of involuntary context switches in each attempt.
  private func measure(
    _ policy: inout RedoPolicy, threads: Int = 2, runsOnOtherThreads: Bool = false, disturbances: [Int]
  ) -> (stands: Round, attempts: Int) {
    var attempts = 0
    let round = policy.measure(threads: threads, runsOnOtherThreads: runsOnOtherThreads) {
      defer { attempts += 1 }
      return .sample(nanoseconds: UInt64(attempts + 1), operations: [1], switches: disturbances[attempts])
    }
    return (round, attempts)
  }

  @Test("A disturbed round is measured again, at most twice, and the least disturbed attempt stands")
  func redone() {
    var policy = RedoPolicy(processors: 2, rounds: 40)
    #expect(measure(&policy, disturbances: [0]).attempts == 1)
    for (disturbances, attempts, isDisturbed) in [([4, 0], 2, false), ([4, 1, 3, 0], 3, true)] {
      let result = measure(&policy, disturbances: disturbances)
      #expect(result.attempts == attempts)
      #expect(result.stands.nanoseconds == 2)
      #expect(result.stands.isDisturbed == isDisturbed)
    }
    #expect(policy.redone == 3)
  }

  @Test("All rounds together have a limit: a quarter of the session's rounds, and one")
  func limitInAll() {
    var policy = RedoPolicy(processors: 2, rounds: 8)
    #expect((0..<3).map { _ in measure(&policy, disturbances: [1, 1, 1]).attempts } == [3, 2, 1])
    #expect(policy.redone == 3)
  }

  @Test(
    "Where threads outnumber processors, or some are not the harness's, disturbances are expected",
    arguments: [(3, false), (1, true)])
  func oversubscribed(threads: Int, runsOnOtherThreads: Bool) {
    var policy = RedoPolicy(processors: 2, rounds: 40)
    let (round, attempts) = measure(
      &policy, threads: threads, runsOnOtherThreads: runsOnOtherThreads, disturbances: [50])
    #expect(attempts == 1)
    #expect(!round.isDisturbed)
  }
}

@Suite("Optimizer guard")
struct OptimizerGuardTests {
  @Test("A loop without operations always takes as long; others are measured with the shortest long batch")
  func loops() {
    let honest = OptimizerGuard { UInt64($0) * 1_000 }
    #expect([honest.growth, Double(honest.times), Double(honest.nanoseconds)] == [4, 16, 16_000])
    #expect(OptimizerGuard.complaint(about: honest.growth) == nil)
    let empty = OptimizerGuard { _ in 50 }
    #expect(
      OptimizerGuard.complaint(about: empty.growth)
        == "4 times the operations take 1.00 times as long: the optimizer has left operations out")
    // Where every batch is held up, they are made longer until that vanishes.
    let heldUp = OptimizerGuard { 100_000 + UInt64($0) * 10_000 }
    #expect(heldUp.times > 1)
    #expect(OptimizerGuard.complaint(about: heldUp.growth) == nil)
  }

  @Test("A try that something else has disturbed is repeated", arguments: [20_000, 10] as [UInt64])
  func disturbed(nanoseconds: UInt64) {
    var calls = 0
    let check = OptimizerGuard { times in
      calls += 1
      // Other work delays the first short batch, so that it takes longer than the long batch, or wrongly seems
      // long enough.
      return 500 + UInt64(times) * nanoseconds + (calls == 1 ? 1_000_000 : 0)
    }
    #expect(check.nanoseconds >= 10_000 && check.nanoseconds < 1_000_000)
    #expect(OptimizerGuard.complaint(about: check.growth) == nil)
  }
}
