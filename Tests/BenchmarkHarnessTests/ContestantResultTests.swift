internal import BenchmarkHarness
internal import Testing

@Suite("Result of a contestant")
struct ContestantResultTests {
  @Test("Fairness is over all rounds: what a thread loses in one it may gain in another")
  func fairness() {
    var result = ContestantResult(name: "a")
    #expect(result.fairness == nil)
    result.rounds = [
      .sample(nanoseconds: 1, operations: [10, 90, 50]), .sample(nanoseconds: 1, operations: [90, 30, 50]),
    ]
    #expect(result.fairness == 100.0 / 120)
  }

  @Test("A result is disturbed when most of its rounds are")
  func disturbed() {
    var result = ContestantResult(name: "a")
    result.rounds = [.sample(nanoseconds: 1, operations: [1]), .sample(nanoseconds: 1, operations: [1])]
    result.rounds[0].isDisturbed = true
    #expect(!result.isDisturbed)
    result.rounds[1].isDisturbed = true
    #expect(result.isDisturbed)
  }
}
