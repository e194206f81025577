@testable import BenchmarkHarness
internal import Foundation
internal import Testing
internal import ThreadSupport

@Suite("Noise floor")
struct NoiseFloorTests {
  private func report(
    _ other: [Double], threads: Int, suite: String = NoiseFloor.suite, metric: Metric = .throughput
  ) -> Report {
    .sample(["one": [10, 10, 10], "other": other], suite: suite, metric: metric, threads: threads)
  }

  @Test("It is the greatest difference between two identical contestants, for each number of threads")
  func greatest() {
    let reports = [
      report([10.1, 10.1, 10.1], threads: 1),
      // A figure that is 1.05 times smaller counts as a difference of 5 %, like one that is 1.05 times
      // greater.
      report([10 / 1.05, 10 / 1.05, 10 / 1.05], threads: 1),
      report([11, 11, 11], threads: 2), report([12, 12, 12], threads: 16),
      report([13, 13, 13], threads: 1, metric: .handOffs), report([14, 14, 14], threads: 4, metric: .waits),
    ]
    let floor = Report(run: .sample(), suites: [], contests: reports.flatMap(\.contests)).noiseFloor
    #expect(abs((floor.oneThread ?? 0) - 5) < 1e-9)
    #expect(abs((floor.severalThreads ?? 0) - 20) < 1e-9)
    func percent(threads: Int, _ metric: Metric = .throughput) -> Double? {
      floor.floor(of: report([10], threads: threads, suite: "locks", metric: metric).contests[0])
        .map { ($0 * 1e6).rounded() / 1e6 }
    }
    #expect(percent(threads: 1) == 5)
    #expect(percent(threads: 1, .cost) == 5)
    #expect(percent(threads: 2) == 10)
    #expect(percent(threads: 16) == 20)
    #expect(percent(threads: 1, .handOffs) == 30)
    #expect(percent(threads: 16, .waits) == 40)
    // The report has no contest with 8 threads, so the result is the greatest noise floor of the throughput
    // contests with several threads.
    #expect(percent(threads: 8) == 20)
    #expect(percent(threads: 1, .bytes) == 0)
    #expect(
      floor.text
        == "5.0 % with 1 thread, 10.0 % with 2, 20.0 % with 16, 30.0 % in hand-offs, 40.0 % in longest waits")
  }

  @Test("Where several threads were not measured, nothing is known of them")
  func unknown() {
    let floor = report([11, 11, 11], threads: 1).noiseFloor
    #expect(floor.floor(of: report([10], threads: 2).contests[0]) == nil)
    #expect(NoiseFloor([:]).text == nil)
  }

  @Test("Other suites say nothing about it")
  func otherSuites() {
    #expect(
      report([20, 20, 20], threads: 1, suite: "locks").noiseFloor
        == NoiseFloor([:]))
  }

  /// A run with identical contestants in two suites, on a machine that other programs slow down.
  ///
  /// - Parameters:
  ///   - bias: The natural logarithm of the ratio that disturbances cause between the two contestants of
  ///     the self-check; 0 for no difference.
  ///   - otherBias: The natural logarithm of that ratio for the two contestants of the suite "locks".
  private func disturbedRun(
    _ bias: Double, _ otherBias: Double, _ random: inout SplitMix64
  ) -> Report {
    func contest(_ suite: String, _ bias: Double) -> ContestReport {
      let figures = (0..<9).map { _ in
        // In each round, the first number affects both contestants, and the second one only "other".
        (Double.random(in: 10...40, using: &random), Double.random(in: -0.01...0.01, using: &random))
      }
      return ContestReport(
        suite: suite, group: "group", title: "first", metric: .throughput, threads: 2, reference: "one",
        contestants: [
          ContestantReport(name: "one", rounds: figures.map(\.0)),
          ContestantReport(name: "other", rounds: figures.map { $0 * exp(bias + $1) }),
        ])
    }
    let contests = [contest(NoiseFloor.suite, bias), contest("locks", otherBias)]
    return Report(
      run: .sample(), suites: [NoiseFloor.suite, "locks"].map { .init(name: $0, about: "", reading: "") },
      contests: contests)
  }

  @Test(
    "Identical contestants on a disturbed machine are neither slower nor faster, whichever is slowed down")
  func identical() throws {
    var random = SplitMix64(state: 1)
    for _ in 0..<100 {
      let biases = (0..<2).map { _ in Double.random(in: -0.5...0.5, using: &random) }
      // In the suite "locks", the disturbances are 0.9 times as strong as in the self-check. The contestant
      // that they slow down is chosen at random.
      let runs = try biases.map { bias in
        let sign: Double = Bool.random(using: &random) ? 0.9 : -0.9
        let run = disturbedRun(bias, sign * bias, &random)
        let chart = try #require(ChartBook(run).charts.first { $0.suite == "locks" })
        let bars = try ParsedMarkup(chart.document).named("rect").filter { $0.attributes["height"] == "12" }
        #expect(bars.map { $0.attributes["class"] } == ["same", "same"], "\(bias)")
        return run
      }
      let comparison = Comparison(of: runs[1], with: runs[0])
      #expect(comparison.changes.count == 1)
      #expect(comparison.slower.isEmpty && comparison.faster.isEmpty, "\(biases)")
    }
  }
}
