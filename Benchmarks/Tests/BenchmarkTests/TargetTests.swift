@testable import BenchmarkHarness
internal import Testing

@Suite("Targets")
struct TargetTests {
  private let a = Target.Path("sample", "group", "first", "a")
  private let b = Target.Path("sample", "group", "first", "b")
  private let ones: [Double] = [1, 1, 1, 1, 1]

  private func verdict(
    _ figures: [Double], _ others: [Double], _ bound: Target.Bound
  ) -> Target.Verdict {
    Target("", .ratio(a, over: [b]), bound).outcome(in: .sample(["a": figures, "b": others])).verdict
  }

  @Test("A ratio is the median of the rounds' ratios, and holds at its bound")
  func ratio() {
    let report = Report.sample(["a": [2, 40, 6, 8, 10], "b": [1, 10, 3, 4, 5]])
    let outcome = Target("", .ratio(a, over: [b]), .atMost(2)).outcome(in: report)
    #expect(outcome.figure == "2.00×")
    #expect(outcome.bound == "≤ 2.00×")
    #expect(outcome.verdict == .holds)
    #expect(Target("", .ratio(a, over: [b]), .atLeast(2.1)).outcome(in: report).verdict == .fails)
  }

  @Test("A claim whose bound lies between the quartiles is undecided, whatever the median is")
  func undecided() {
    let figures = [0.9, 0.93, 0.95, 0.955, 0.97]
    for bound in [Target.Bound.atLeast(0.94), .atLeast(0.9525), .atMost(0.94), .atMost(0.9525)] {
      #expect(verdict(figures, ones, bound) == .undecided)
    }
    for (bound, expected) in [
      (Target.Bound.atLeast(0.92), Target.Verdict.holds), (.atLeast(0.96), .fails), (.atMost(0.92), .fails),
      (.atMost(0.96), .holds),
    ] {
      #expect(verdict(figures, ones, bound) == expected)
    }
  }

  @Test("The best of several others has the greatest median")
  func best() {
    let report = Report.sample(["a": ones, "b": ones.map { $0 * 2 }, "c": ones.map { $0 * 4 }])
    let c = Target.Path("sample", "group", "first", "c")
    #expect(Target("", .ratio(a, over: [b, c]), .atLeast(0.3)).outcome(in: report).figure == "0.250×")
  }

  @Test("A difference is in nanoseconds, with its quartiles in nanoseconds too")
  func difference() {
    let outcome = Target("", .difference(a, minus: b), .atMost(0.5)).outcome(
      in: .sample(["a": [4, 5, 6, 7, 9], "b": [4, 4, 4, 4, 4]]))
    // The rounds' differences are 0, 1, 2, 3 and 5.
    #expect(outcome.figure == "2.00 ns")
    #expect(outcome.quartiles == "1.00 ns to 3.00 ns")
    #expect(outcome.verdict == .fails)
  }

  @Test("A longest wait is judged against a round that was long enough for a longer one")
  func longestWait() {
    func outcome(wait: Int, _ bound: Double) -> Target.Outcome {
      var report = Report.sample(["a": [1], "b": [1]])
      report.contests[0].contestants[0].longestWait = wait
      report.contests[0].contestants[0].waitRoundDuration = 1_500_000_000
      return Target("", .longestWait(a), .atMost(bound)).outcome(in: report)
    }
    #expect(outcome(wait: 1_200_000_000, 1e9).figure == "1.20 s")
    #expect(outcome(wait: 1_200_000_000, 1e9).verdict == .fails)
    #expect(outcome(wait: 20_000_000, 1e9).verdict == .holds)
    // The round took only 1.5 s, so it can't show whether a wait exceeds the bound of 2 s.
    #expect(outcome(wait: 20_000_000, 2e9).verdict == .undecided)
  }

  @Test("Processor time is compared for one operation")
  func processorTime() {
    var report = Report.sample(["a": ones, "b": ones])
    report.contests[0].contestants[0].processorNanoseconds = [3, 3, 5, 7, 7]
    report.contests[0].contestants[1].processorNanoseconds = ones
    let outcome = Target("", .processorTime(a, over: b), .atMost(2)).outcome(in: report)
    #expect(outcome.figure == "5.00×")
    #expect(outcome.verdict == .fails)
  }

  @Test("A claim is not decided after fewer than five rounds, or after disturbed ones")
  func unreliable() {
    #expect(verdict([1, 1, 1, 1], [2, 2, 2, 2], .atMost(1)) == .undecided)
    var report = Report.sample(["a": ones, "b": ones])
    let target = Target("", .ratio(a, over: [b]), .atMost(1))
    report.contests[0].contestants[1].disturbed.replaceSubrange(0..<2, with: [true, true])
    #expect(target.outcome(in: report).verdict == .holds)
    report.contests[0].contestants[1].disturbed[2] = true
    #expect(target.outcome(in: report).verdict == .undecided)
  }

  @Test(
    "Where disturbances don't show, figures are as disturbed as the rest of the run",
    arguments: [
      (Metric.throughput, 16, false, false), (.handOffs, 1, false, false), (.throughput, 1, true, false),
      (.throughput, 2, false, true),
    ])
  func disturbedRun(_ metric: Metric, threads: Int, runsOnOtherThreads: Bool, shows: Bool) {
    for isDisturbed in [false, true] {
      let report = Report.joining(
        .sample(
          ["a": ones, "b": ones], metric: metric, threads: threads, runsOnOtherThreads: runsOnOtherThreads),
        .sample(["x": ones, "y": ones], suite: "rest", isDisturbed: isDisturbed))
      let outcome = Target("", .ratio(a, over: [b]), .atMost(1)).outcome(in: report)
      #expect(outcome.verdict == (isDisturbed && !shows ? .undecided : .holds))
    }
  }

  @Test("A check passes when all targets hold; a filter may leave some out")
  func check() {
    let holds = Target("holds", .ratio(a, over: [b]), .atMost(1))
    let fails = Target("fails", .ratio(a, over: [b]), .atMost(0.5))
    let missing = Target("missing", .ratio(a, over: [.init("other", "", "", "")]), .atMost(1))
    func check(_ targets: [Target], filter: [String] = []) -> TargetCheck {
      TargetCheck(targets, in: .sample(["a": ones, "b": ones], run: .sample(filter: filter)))
    }
    #expect(check([holds]).passes)
    #expect(!check([holds, fails]).passes)
    #expect(!check([holds, missing]).passes)
    #expect(!check([]).passes)
    #expect(check([holds, missing], filter: ["x"]).passes)
    #expect(!check([missing], filter: ["x"]).passes)
    #expect(
      check([holds, fails, missing]).summary
        == "1 of 3 targets hold, 1 don't, 1 are undecided; 1 of these were not measured.")
  }
}
