@testable import BenchmarkHarness
internal import Testing

@Suite("Targets")
struct TargetTests {
  private let a = Target.Path("sample", "group", "first", "a")
  private let b = Target.Path("sample", "group", "first", "b")

  @Test("A ratio is the median of the rounds' ratios, and holds at its bound")
  func ratio() throws {
    let measurements = Measurements.sample([2, 40, 6, 8, 10], [1, 10, 3, 4, 5])
    let outcome = try #require(Target("", .ratio(a, over: b), .atMost(2)).outcome(in: measurements.contests))
    #expect(outcome.figure.median == 2)
    #expect(outcome.holds == true)
    #expect(outcome.verdict == .holds)
    #expect(outcome.figureText == "2.00×")
    #expect(outcome.boundText == "≤ 2.00×")
    let other = try #require(Target("", .ratio(a, over: b), .atLeast(2.1)).outcome(in: measurements.contests))
    #expect(other.holds == false)
    #expect(other.verdict == .fails)
    #expect(other.boundText == "≥ 2.10×")
  }

  @Test("A claim whose bound lies between the quartiles is within the spread, whatever the median is")
  func withinTheSpread() throws {
    let contests = Measurements.sample(
      [900, 930, 950, 955, 970], [1_000, 1_000, 1_000, 1_000, 1_000]
    ).contests
    for bound in [Target.Bound.atLeast(0.94), .atLeast(0.9525), .atMost(0.94), .atMost(0.9525)] {
      let outcome = try #require(Target("", .ratio(a, over: b), bound).outcome(in: contests))
      #expect(outcome.verdict == .withinSpread)
      #expect(outcome.verdictText == "within the spread")
    }
    // The quartiles are 0.93 and 0.955.
    for (bound, verdict) in [
      (Target.Bound.atLeast(0.92), TargetOutcome.Verdict.holds), (.atLeast(0.96), .fails),
      (.atMost(0.92), .fails), (.atMost(0.96), .holds),
    ] {
      #expect(try #require(Target("", .ratio(a, over: b), bound).outcome(in: contests)).verdict == verdict)
    }
  }

  @Test("A claim that compares contestants of different categories is complained about")
  func categories() {
    func complaints(_ first: Category?, _ second: Category?) -> [String] {
      var contest = Measurements.sample([1], [1]).contests[0]
      contest.contestants[0].category = first
      contest.contestants[1].category = second
      return Report(
        run: .sample(), suites: [], targets: [Target("a / b", .ratioToGreatest(a, of: [b]), .atMost(1))],
        measurements: Measurements(contests: [contest], redone: 0, complaints: [])
      ).complaints
    }
    let (inlined, called) = (Category("inlined", ""), Category("called", ""))
    #expect(complaints(inlined, inlined).isEmpty)
    #expect(complaints(nil, called).isEmpty)
    #expect(
      complaints(inlined, called)
        == ["a / b: compares contestants of different categories: called, inlined"])
  }

  @Test("A difference is in nanoseconds, with its spread in nanoseconds too")
  func difference() throws {
    let outcome = try #require(
      Target("", .difference(a, minus: b), .atMost(1)).outcome(
        in: Measurements.sample([4, 5, 6, 7, 9], [4, 4, 4, 4, 4]).contests))
    #expect(outcome.figureText == "2.00 ns")
    // The rounds' differences are 0, 1, 2, 3 and 5. Their quartiles are 1 and 3, each 1 from the median, 2.
    #expect(outcome.spreadText == "±1.00 ns")
    #expect(outcome.holds == false)
  }

  @Test("A longest wait is judged against a round that was long enough for a longer one")
  func longestWait() throws {
    func outcome(wait: Int, _ bound: Double) throws -> TargetOutcome {
      let target = Target("", .longestWait(a), .atMost(bound))
      return try #require(target.outcome(in: Measurements.sample([1], [1], wait: wait).contests))
    }
    #expect(try outcome(wait: 1_200_000_000, 1).figureText == "1.20 s")
    #expect(try outcome(wait: 1_200_000_000, 1).verdict == .fails)
    #expect(try outcome(wait: 20_000_000, 1).verdict == .holds)
    // The round took only 1.5 s, so it can't show whether a wait exceeds the bound of 2 s.
    #expect(try outcome(wait: 20_000_000, 2).verdict == .tooShort)
    #expect(try outcome(wait: 20_000_000, 2).holds == nil)
  }

  @Test("Processor time is compared for one operation")
  func processorTime() throws {
    let measurements = Measurements.sample(
      [[300, 300, 500, 700, 700], [100, 100, 100, 100, 100]].map { $0.map { .sample(usage: $0, sleeps: 0) } })
    let outcome = try #require(
      Target("", .processorTime(a, over: b), .atMost(4)).outcome(in: measurements.contests))
    #expect(outcome.figureText == "5.00×")
    #expect(outcome.holds == false)
  }

  @Test("A claim that was not measured has no outcome")
  func notMeasured() {
    let measurements = Measurements.sample([1], [1])
    let elsewhere = Target.Path("sample", "group", "second", "a")
    #expect(Target("", .ratio(a, over: elsewhere), .atMost(1)).outcome(in: measurements.contests) == nil)
    #expect(Target("", .longestWait(a), .atMost(1)).outcome(in: measurements.contests) == nil)
  }

  @Test("Disturbed rounds are not judged")
  func disturbed() throws {
    var contest = Measurements.sample([1, 1, 1, 1, 1], [1, 1, 1, 1, 1]).contests[0]
    contest.contestants[1].disturbed.replaceSubrange(0..<2, with: [true, true])
    let target = Target("", .ratio(a, over: b), .atMost(1))
    #expect(try #require(target.outcome(in: [contest])).verdict == .holds)
    contest.contestants[1].disturbed[2] = true
    let outcome = try #require(target.outcome(in: [contest]))
    #expect(outcome.verdict == .disturbed)
    #expect(outcome.verdictText == "not judged: disturbed")
    #expect(Report(run: .sample(), suites: [], contests: [contest]).disturbedRounds == 3)
  }

  @Test("A claim about threads that outnumber the processors is not judged in a disturbed run")
  func disturbedRun() throws {
    func verdict(isDisturbed: Bool) -> TargetOutcome.Verdict? {
      let figures: KeyValuePairs = ["a": [1.0, 1, 1, 1, 1], "b": [1.0, 1, 1, 1, 1]]
      let contests = [
        Report.sample(figures, metric: .throughput, threads: 16),
        .sample(figures, suite: "rest", isDisturbed: isDisturbed),
      ].flatMap(\.contests)
      return Report(
        run: .sample(), suites: [], targets: [Target("", .ratio(a, over: b), .atMost(1))],
        measurements: Measurements(contests: contests, redone: 0, complaints: [])
      ).targets.first?.verdict
    }
    #expect(verdict(isDisturbed: false) == .holds)
    #expect(verdict(isDisturbed: true) == .disturbed)
  }

  @Test("A claim is not judged after fewer than five rounds")
  func fewRounds() throws {
    let target = Target("", .ratio(a, over: b), .atMost(1))
    let few = try #require(target.outcome(in: Measurements.sample([1, 1, 1, 1], [2, 2, 2, 2]).contests))
    #expect(few.verdict == .tooShort)
    #expect(few.verdictText == "not judged: run too short")
  }
}
