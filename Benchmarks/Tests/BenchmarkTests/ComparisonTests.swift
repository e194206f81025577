@testable import BenchmarkHarness
internal import Testing

@Suite("Comparison")
struct ComparisonTests {
  private let quiet: [Double] = [10, 10, 10, 10, 10]

  private func report(_ figures: [Double], _ metric: Metric = .cost, isDisturbed: Bool = false) -> Report {
    .sample(["reference": quiet, "a": figures], metric: metric, isDisturbed: isDisturbed)
  }

  /// A report without the reference.
  private func filtered(_ figures: [Double]) -> Report {
    var report = report(figures)
    report.contests[0].contestants.removeFirst()
    return report
  }

  @Test("More time is slower, and less is faster; less throughput is slower")
  func time() {
    let slower = Comparison(of: report([12, 12, 12, 12, 12]), with: report(quiet))
    #expect(slower.slower.map(\.path) == ["sample, group, first: a"])
    #expect(slower.slower.first?.slowdown == 1.2)
    #expect(slower.faster.isEmpty)
    #expect(slower.text.contains("1 slower, 0 faster, 0 the same within the noise"))
    let faster = Comparison(of: report(quiet), with: report([12, 12, 12, 12, 12]))
    #expect(faster.faster.count == 1)
    #expect(faster.slower.isEmpty)
    let throughput = Comparison(of: report([8, 8, 8, 8, 8], .throughput), with: report(quiet, .throughput))
    #expect(throughput.slower.first?.slowdown == 1.25)
  }

  @Test(
    "Figures of threads that meet are not judged",
    arguments: [(Metric.throughput, 2, false), (.handOffs, 1, false), (.waits, 1, false), (.cost, 1, true)])
  func severalThreads(_ metric: Metric, threads: Int, runsOnOtherThreads: Bool) {
    func run(_ figures: [Double]) -> Report {
      .sample(
        ["reference": quiet, "a": figures], metric: metric, threads: threads,
        runsOnOtherThreads: runsOnOtherThreads)
    }
    let comparison = Comparison(of: run([50, 50, 50, 50, 50]), with: run(quiet))
    #expect(comparison.slower.isEmpty && comparison.faster.isEmpty)
    #expect(comparison.text.contains("1 not judged"))
  }

  @Test("A change that is shared, too small, within the spread or below the noise floor is none")
  func noise() {
    let twice = Report.sample(["reference": quiet.map { $0 * 2 }, "a": quiet.map { $0 * 2 }])
    #expect(Comparison(of: twice, with: report(quiet)).slower.isEmpty)
    #expect(Comparison(of: report([10.2, 10.2, 10.2, 10.2, 10.2]), with: report(quiet)).slower.isEmpty)
    // The median grows by 20 %. This may be noise, because the spreads are 8.3 % and 10 %, and twice their
    // sum is 36.7 %.
    #expect(Comparison(of: report([10, 11, 12, 13, 14]), with: report([9, 9, 10, 11, 11])).slower.isEmpty)
    func withFloor(_ floor: Double, _ report: Report) -> Report {
      .joining(
        report, .sample(["one": quiet, "other": quiet.map { $0 * floor }], suite: NoiseFloor.suite))
    }
    let slower = report([12, 12, 12, 12, 12])
    #expect(Comparison(of: withFloor(1.3, slower), with: report(quiet)).slower.isEmpty)
    #expect(Comparison(of: slower, with: withFloor(1.3, report(quiet))).slower.isEmpty)
    #expect(Comparison(of: withFloor(1.1, slower), with: withFloor(1, report(quiet))).slower.count == 1)
  }

  @Test("Disturbed figures, and fewer than five rounds, are not judged")
  func unreliable() {
    let few = Report.sample(["reference": [10, 10, 10, 10], "a": [20, 20, 20, 20]])
    for new in [report([20, 20, 20, 20, 20], isDisturbed: true), few] {
      let comparison = Comparison(of: new, with: report(quiet))
      #expect(comparison.slower.isEmpty)
      #expect(comparison.text.contains("1 not judged (several threads, disturbed, or fewer than 5 rounds)"))
      #expect(!comparison.isComplete)
    }
  }

  @Test("Figures that are counted are compared themselves, the reference's too")
  func counted() {
    func comparison(_ old: [Double], _ new: [Double]) -> Comparison {
      Comparison(
        of: .sample(["reference": [new[0]], "a": [new[1]]], metric: .bytes),
        with: .sample(["reference": [old[0]], "a": [old[1]]], metric: .bytes))
    }
    #expect(comparison([40, 8], [44, 8]).slower.map(\.path) == ["sample, group, first: reference"])
    // From nothing to something is slower, and nothing twice is the same.
    #expect(comparison([0, 0], [0, 5]).slower.map(\.path) == ["sample, group, first: a"])
    #expect(comparison([0, 0], [0, 5]).text.contains("1 slower, 0 faster, 1 the same within the noise"))
  }

  @Test("Without the reference, the figures themselves are compared; so is a reference that is alone")
  func withoutReference() {
    let tenfold = quiet.map { $0 * 10 }
    for old in [report(quiet), filtered(quiet)] {
      let comparison = Comparison(of: filtered(tenfold), with: old)
      #expect(comparison.slower.map(\.slowdown) == [10])
      #expect(comparison.isComplete)
    }
    #expect(Comparison(of: filtered(quiet), with: report(quiet)).slower.isEmpty)
    let alone = Comparison(of: .sample(["reference": tenfold]), with: report(quiet))
    #expect(alone.slower.map(\.path) == ["sample, group, first: reference"])
  }

  @Test("A contestant without a figure in one report makes the comparison incomplete")
  func incomparable() {
    let comparison = Comparison(
      of: .sample(["reference": quiet, "a": [], "b": quiet]),
      with: .sample(["reference": quiet, "a": quiet, "b": quiet]))
    #expect(comparison.incomparable == ["sample, group, first: a"])
    #expect(comparison.text.contains("1 without figures"))
    #expect(!comparison.isComplete)
    #expect(!Comparison(of: .sample(["x": quiet], suite: "other"), with: report(quiet)).isComplete)
    // A contestant that was not measured again is counted, and another machine is pointed out.
    let old = Report.sample(["reference": quiet, "a": quiet, "b": quiet])
    let new = Report.sample(
      ["reference": quiet, "a": quiet], run: .sample(processor: "Another one"))
    #expect(Comparison(of: new, with: old).missing == ["sample, group, first: b"])
    #expect(Comparison(of: new, with: old).text.contains("Careful"))
    #expect(!Comparison(of: old, with: old).text.contains("Careful"))
  }
}
