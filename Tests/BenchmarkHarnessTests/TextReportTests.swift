internal import BenchmarkHarness
internal import Testing

@Suite("Text report")
struct TextReportTests {
  private func report(isDebug: Bool, _ measurements: Measurements = .sample([20, 20], [10, 10])) -> String {
    TextReport(
      run: .sample(isDebug: isDebug), suites: [.sample(contests: ["first": ["a", "b"]])],
      measurements: measurements,
      targets: [
        Target(
          "b / a",
          .ratio(.init("sample", "group", "first", "b"), over: .init("sample", "group", "first", "a")),
          .atMost(1))
      ].compactMap { $0.outcome(in: measurements) }
    ).text
  }

  @Test("Figures, ratios and targets are in it, and what the columns mean")
  func contents() {
    let text = report(isDebug: false)
    #expect(text.contains("4 processors"))
    #expect(text.replacingSpaces.contains("\na 20.0 1.00 ±0.0%"))
    #expect(text.replacingSpaces.contains("\nb 10.0 0.50 ±0.0%"))
    #expect(text.replacingSpaces.contains("\nb / a ≤ 1.00× 0.50× ±0.0% yes"))
    for column in ["ratio", "±", "ns"] {
      #expect(text.contains("\n  \(column) "))
    }
    #expect(!text.contains("DEBUG"))
    #expect(!text.contains("Mops/s"))
  }

  @Test("Every table of a debug build is labelled")
  func debugBuild() {
    let titles = report(isDebug: true).split(separator: "\n").filter {
      $0.hasPrefix("[DEBUG BUILD, not a measurement] ")
    }
    #expect(titles.count == 2)
  }

  @Test("A figure of which most rounds were disturbed is marked, and many such rounds are pointed out")
  func disturbed() {
    var contest = Measurements.sample([20, 20], [10, 10]).contests[0]
    for round in contest.contestants[1].rounds.indices {
      contest.contestants[1].rounds[round].isDisturbed = true
    }
    let text = report(isDebug: false, Measurements(contests: [contest], redone: 1, complaints: []))
    #expect(text.replacingSpaces.contains("\nb 10.0! 0.50! "))
    #expect(text.contains("quiet machine"))
  }
}

extension String {
  /// With one space in place of several, to compare lines without the widths of their columns.
  fileprivate var replacingSpaces: String {
    split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
  }
}
