@testable import BenchmarkHarness
internal import Testing

@Suite("Comparison")
struct ComparisonTests {
  private let quiet: [Double] = [10, 10, 10, 10, 10]

  private func report(_ figures: [Double], _ metric: Metric = .cost, isDisturbed: Bool = false) -> Report {
    .sample(["reference": quiet, "a": figures], metric: metric, isDisturbed: isDisturbed)
  }

  @Test("More time is slower, and less is faster")
  func time() {
    let slower = Comparison(of: report([12, 12, 12, 12, 12]), with: report(quiet))
    #expect(slower.slower.map(\.path) == ["sample, group, first: a"])
    #expect(slower.slower.first?.slowdown == 1.2)
    #expect(slower.faster.isEmpty)
    #expect(slower.text.contains("1 slower, 0 faster, 0 the same within the noise"))
    let faster = Comparison(of: report(quiet), with: report([12, 12, 12, 12, 12]))
    #expect(faster.faster.count == 1)
    #expect(faster.slower.isEmpty)
  }

  @Test("Less throughput is slower")
  func throughput() {
    let comparison = Comparison(of: report([8, 8, 8, 8, 8], .throughput), with: report(quiet, .throughput))
    #expect(comparison.slower.first?.slowdown == 1.25)
  }

  @Test(
    "Figures of threads that meet are not judged",
    arguments: [(Metric.throughput, 2, nil), (.handOffs, 1, nil), (.waits, 1, nil), (.cost, 1, true)])
  func severalThreads(_ metric: Metric, threads: Int, runsOnOtherThreads: Bool?) {
    func run(_ figures: [Double]) -> Report {
      .sample(
        ["reference": quiet, "a": figures], metric: metric, threads: threads,
        runsOnOtherThreads: runsOnOtherThreads)
    }
    for comparison in [
      Comparison(of: run([50, 50, 50, 50, 50]), with: run(quiet)),
      Comparison(of: run(quiet), with: run([50, 50, 50, 50, 50])),
    ] {
      #expect(comparison.slower.isEmpty && comparison.faster.isEmpty)
      #expect(comparison.text.contains("1 not judged"))
    }
  }

  @Test("A change that the reference shares is no change")
  func commonChange() {
    let twice = Report.sample(["reference": quiet.map { $0 * 2 }, "a": quiet.map { $0 * 2 }])
    let comparison = Comparison(of: twice, with: report(quiet))
    #expect(comparison.slower.isEmpty)
    #expect(comparison.changes.count == 1)
  }

  @Test("A change inside the noise is none: too small, too wide a spread, or below the noise floor")
  func noise() {
    #expect(Comparison(of: report([10.2, 10.2, 10.2, 10.2, 10.2]), with: report(quiet)).slower.isEmpty)
    // The median grows by 20 %. This may be noise, because the spreads are 8.3 % and 10 %, and twice their
    // sum is 36.7 %.
    #expect(Comparison(of: report([10, 11, 12, 13, 14]), with: report([9, 9, 10, 11, 11])).slower.isEmpty)
    func withFloor(_ floor: Double, _ report: Report) -> Report {
      let check = Report.sample(["one": quiet, "other": quiet.map { $0 * floor }], suite: NoiseFloor.suite)
      return Report(
        run: report.run, suites: report.suites + check.suites, contests: report.contests + check.contests)
    }
    let slower = report([12, 12, 12, 12, 12])
    #expect(Comparison(of: withFloor(1.3, slower), with: report(quiet)).slower.isEmpty)
    #expect(Comparison(of: slower, with: withFloor(1.3, report(quiet))).slower.isEmpty)
    #expect(Comparison(of: withFloor(1.1, slower), with: withFloor(1, report(quiet))).slower.count == 1)
  }

  @Test("Disturbed figures are not judged")
  func disturbed() {
    let comparison = Comparison(of: report([20, 20, 20, 20, 20], isDisturbed: true), with: report(quiet))
    #expect(comparison.slower.isEmpty)
    #expect(comparison.text.contains("1 not judged (several threads, disturbed, or fewer than 5 rounds)"))
    #expect(!comparison.isComplete)
  }

  @Test("Where disturbances don't show, figures are as disturbed as the rest of the run")
  func disturbedRun() {
    // `shows` tells whether disturbed rounds of the contest would be marked. With 16 threads on the sample's
    // four processors, for example, they would not.
    for (metric, threads, isElsewhere, shows) in [
      (Metric.throughput, 16, nil, false), (.handOffs, 1, nil, false), (.throughput, 1, true, false),
      (.throughput, 2, nil, true),
    ] {
      for isDisturbed in [false, true] {
        let rest = Report.sample(["reference": quiet, "b": quiet], suite: "rest", isDisturbed: isDisturbed)
        let report = Report.sample(
          ["reference": quiet, "a": quiet], metric: metric, threads: threads,
          runsOnOtherThreads: isElsewhere)
        let both = Report(run: report.run, suites: report.suites, contests: report.contests + rest.contests)
        let contest = both.contests[0]
        #expect(both.isDisturbed(contest.contestants[1], in: contest) == (isDisturbed && !shows))
      }
    }
  }

  @Test("Figures of fewer than five rounds are not judged, unless they are counted")
  func fewRounds() {
    let few = Report.sample(["reference": [10, 10, 10, 10], "a": [20, 20, 20, 20]])
    for comparison in [Comparison(of: few, with: report(quiet)), Comparison(of: report(quiet), with: few)] {
      #expect(comparison.slower.isEmpty && comparison.faster.isEmpty)
      #expect(comparison.changes.map(\.isJudged) == [false])
      #expect(!comparison.isComplete)
    }
  }

  @Test("Figures that are counted are compared themselves, the reference's too")
  func counted() {
    let comparison = Comparison(
      of: Report.sample(["reference": [44], "a": [8]], metric: .bytes),
      with: Report.sample(["reference": [40], "a": [8]], metric: .bytes))
    #expect(comparison.slower.map(\.path) == ["sample, group, first: reference"])
  }

  @Test("From nothing to something is slower, and nothing twice is the same")
  func countedFromNothing() {
    let comparison = Comparison(
      of: Report.sample(["reference": [0], "a": [5]], metric: .allocations),
      with: Report.sample(["reference": [0], "a": [0]], metric: .allocations))
    #expect(comparison.slower.map(\.path) == ["sample, group, first: a"])
    #expect(comparison.text.contains("1 slower, 0 faster, 1 the same within the noise"))
  }

  @Test("Without the reference, the figures themselves are compared")
  func withoutReference() {
    let old = Report.sample(["reference": quiet, "a": quiet])
    func filtered(_ figures: [Double]) -> Report {
      let report = Report.sample(["reference": quiet, "a": figures])
      var contest = report.contests[0]
      contest.contestants.removeFirst()
      return Report(run: report.run, suites: report.suites, contests: [contest])
    }
    let tenfold = quiet.map { $0 * 10 }
    for comparison in [
      Comparison(of: filtered(tenfold), with: old), Comparison(of: filtered(tenfold), with: filtered(quiet)),
    ] {
      #expect(comparison.slower.map(\.slowdown) == [10])
      #expect(comparison.isComplete)
      #expect(comparison.text.contains("1 without their reference, compared by the figures themselves"))
    }
    #expect(Comparison(of: filtered(quiet), with: old).slower.isEmpty)
  }

  @Test("A reference that is alone is compared by its figures")
  func referenceAlone() {
    let comparison = Comparison(
      of: Report.sample(["reference": quiet.map { $0 * 10 }]),
      with: Report.sample(["reference": quiet, "a": quiet]))
    #expect(comparison.slower.map(\.path) == ["sample, group, first: reference"])
  }

  @Test("A contestant without a figure in one report is counted, and makes the comparison incomplete")
  func incomparable() {
    let comparison = Comparison(
      of: Report.sample(["reference": quiet, "a": [], "b": quiet]),
      with: Report.sample(["reference": quiet, "a": quiet, "b": quiet]))
    #expect(comparison.incomparable == ["sample, group, first: a"])
    #expect(comparison.text.contains("1 without figures"))
    #expect(!comparison.isComplete)
    #expect(
      !Comparison(of: .sample(["x": quiet], suite: "other"), with: .sample(["reference": quiet])).isComplete)
  }

  @Test("Missing figures are counted, and other machines, builds and runs are pointed out")
  func caveats() {
    let old = Report.sample(["reference": quiet, "a": quiet, "b": quiet])
    let new = Report.sample(
      ["reference": quiet, "a": quiet], run: .sample(isDebug: true, processor: "Another one"))
    let comparison = Comparison(of: new, with: old)
    #expect(comparison.missing == ["sample, group, first: b"])
    #expect(comparison.caveats.count == 2)
    #expect(comparison.text.contains("now Another one"))
    #expect(comparison.text.contains("now Swift 9, debug"))
    #expect(Comparison(of: old, with: old).caveats.isEmpty)
  }
}
