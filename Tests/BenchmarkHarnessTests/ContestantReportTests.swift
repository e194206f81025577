@testable import BenchmarkHarness
internal import Testing

@Suite("Report of a contestant")
struct ContestantReportTests {
  private func report(_ rounds: [Round]) -> ContestantReport {
    ContestantReport(Contestant(name: "a") { _, count in count }, metric: .throughput, rounds: rounds)
  }

  @Test("Fairness is over all rounds: operations that a thread loses in one it may gain in another")
  func fairness() {
    #expect(report([]).fairnessInAll == nil)
    let uneven = report([
      .sample(nanoseconds: 1, operations: [10, 90, 50]), .sample(nanoseconds: 1, operations: [90, 30, 50]),
    ])
    #expect(uneven.fairnessInAll == 100.0 / 120)
  }

  @Test("A report is disturbed when most of its rounds are")
  func disturbed() {
    var rounds: [Round] = [
      .sample(nanoseconds: 1, operations: [1]), .sample(nanoseconds: 1, operations: [1]),
    ]
    rounds[0].isDisturbed = true
    #expect(!report(rounds).isDisturbed)
    rounds[1].isDisturbed = true
    #expect(report(rounds).isDisturbed)
  }
}
