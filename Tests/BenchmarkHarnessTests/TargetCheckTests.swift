@testable import BenchmarkHarness
internal import Testing

@Suite("Check of the targets")
struct TargetCheckTests {
  private func outcome(_ holds: Bool?) -> TargetOutcome {
    TargetOutcome(
      claim: "a / b", unit: .ratio, bound: .atMost(1),
      figure: Summary(median: 0.5, lowerQuartile: 0.5, upperQuartile: 0.5), holds: holds, isDisturbed: false)
  }

  /// An uncertain outcome, with one of two causes.
  ///
  /// If `isDisturbed`, other threads interrupted its rounds. Otherwise its quartiles are on both sides of the
  /// bound.
  private func outcome(isDisturbed: Bool) -> TargetOutcome {
    TargetOutcome(
      claim: "a / b", unit: .ratio, bound: .atMost(1),
      figure: Summary(median: 0.95, lowerQuartile: 0.91, upperQuartile: isDisturbed ? 0.97 : 1.03),
      holds: true, isDisturbed: isDisturbed)
  }

  private func check(_ holds: [Bool?], unjudged: [String] = [], filter: [String] = []) -> TargetCheck {
    TargetCheck(
      .sample(
        ["a": [1]], run: .sample(filter: filter), targets: holds.map(outcome), unjudgedClaims: unjudged))
  }

  @Test("It passes when all targets hold")
  func passing() {
    #expect(check([true, true]).passes)
    #expect(!check([true, false]).passes)
    #expect(!check([true, nil]).passes)
    #expect(!check([]).passes)
  }

  @Test("A target within the spread does not hold, and a disturbed one is not judged")
  func undecided() {
    let check = TargetCheck(
      .sample(["a": [1]], targets: [outcome(isDisturbed: false), outcome(isDisturbed: true)]))
    #expect(!check.passes)
    #expect(
      check.text.contains(
        "\nWITHIN THE SPREAD: a / b: 0.95× (quartiles 0.91× to 1.03×), claimed ≤ 1.00×\n"
          + "NOT JUDGED (most rounds were disturbed): a / b: 0.95×, claimed ≤ 1.00×\n"
          + "0 of 2 targets hold, 0 don't, 1 are within the spread, 1 were not judged."))
    for isDisturbed in [false, true] {
      let single = TargetCheck(.sample(["a": [1]], targets: [outcome(isDisturbed: isDisturbed)]))
      #expect(!single.passes)
    }
  }

  @Test("A claim that was not measured counts, unless a filter left it out")
  func notMeasured() {
    #expect(!check([true], unjudged: ["c"]).passes)
    #expect(check([true], unjudged: ["c"], filter: ["x"]).passes)
  }

  @Test("It says of each target whether it holds")
  func text() {
    let text = check([true, false, nil], unjudged: ["c"]).text
    #expect(text.contains("\nholds: a / b: 0.50×, claimed ≤ 1.00×\nDOES NOT HOLD: a / b"))
    #expect(text.contains("\nNOT JUDGED (run too short): a / b"))
    #expect(
      text.contains(
        "\nnot measured: c\n1 of 4 targets hold, 1 don't, 0 are within the spread, 2 were not judged."))
  }
}
