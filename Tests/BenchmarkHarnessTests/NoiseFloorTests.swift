@testable import BenchmarkHarness
internal import Testing

@Suite("Noise floor")
struct NoiseFloorTests {
  private func report(_ other: [Double], threads: Int, suite: String = NoiseFloor.suite) -> Report {
    .sample(["one": [10, 10, 10], "other": other], suite: suite, threads: threads)
  }

  @Test("It is the greatest difference between two identical contestants, for one thread and for several")
  func greatest() {
    let reports = [
      report([10.1, 10.1, 10.1], threads: 1), report([9.5, 9.5, 9.5], threads: 1),
      report([11, 11, 11], threads: 2),
    ]
    let floor = Report(run: .sample(), suites: [], contests: reports.flatMap(\.contests)).noiseFloor
    #expect(abs((floor.oneThread ?? 0) - 5) < 1e-9)
    #expect(abs((floor.severalThreads ?? 0) - 10) < 1e-9)
    #expect(floor.floor(threads: 1) == floor.oneThread)
    #expect(floor.floor(threads: 16) == floor.severalThreads)
  }

  @Test("Other suites say nothing about it")
  func otherSuites() {
    #expect(
      report([20, 20, 20], threads: 1, suite: "locks").noiseFloor
        == NoiseFloor(oneThread: nil, severalThreads: nil))
  }
}
