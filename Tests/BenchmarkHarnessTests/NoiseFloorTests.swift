@testable import BenchmarkHarness
internal import Testing

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
      report([10.1, 10.1, 10.1], threads: 1), report([9.5, 9.5, 9.5], threads: 1),
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
    // The report has no contest (see `Contest`) with 8 threads. So the greatest noise floor of the throughput
    // contests with several threads is used.
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
}
