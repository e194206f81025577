@testable import BenchmarkHarness
internal import Testing

@Suite("Text report")
struct TextReportTests {
  private func report(
    isDebug: Bool, _ measurements: Measurements = .sample([20, 20, 20, 20, 20], [10, 10, 10, 10, 10])
  ) -> String {
    TextReport(
      Report(
        run: .sample(isDebug: isDebug), suites: [.sample(contests: ["first": ["a", "b"]])],
        targets: [
          Target(
            "b / a",
            .ratio(.init("sample", "group", "first", "b"), over: .init("sample", "group", "first", "a")),
            .atMost(1))
        ], measurements: measurements)
    ).text
  }

  @Test("Figures, ratios and targets are in it, and what the columns mean")
  func contents() {
    let text = report(isDebug: false)
    #expect(text.contains("4 processors"))
    #expect(text.replacingSpaces.contains("\na 20.0 1.00 ±0.0% ████████████████████████"))
    #expect(text.replacingSpaces.contains("\nb 10.0 0.50 ±0.0% ████████████\n"))
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
      contest.contestants[1].disturbed[round] = true
    }
    let text = report(isDebug: false, Measurements(contests: [contest], redone: 1, complaints: []))
    #expect(text.replacingSpaces.contains("\nb 10.0! 0.50! "))
    #expect(text.contains("quiet machine"))
  }

  @Test("A figure whose rounds lie far apart is marked")
  func wide() {
    let text = report(isDebug: false, .sample([10, 10, 10, 10], [10, 20, 40, 80]))
    #expect(text.replacingSpaces.contains("\nb 30.0~ 3.00~ "))
    #expect(text.replacingSpaces.contains("\na 10.0 1.00 "))
  }

  @Test("Every kind of contest has a table, and an interrupted run says so before and after them")
  func variety() {
    let text = TextReport(.variety()).text
    for title in [
      "alone: nanoseconds, and ratio to ref <&>", "2 threads: throughput, ratio to ref <&>",
      "a writer: waits",
      "hand: what a hand-off takes", "bytes: bytes", "bytes: allocations for one operation",
      "frames: frames per second", "== Contention", "\nwaits in f<T> & g\n", "== Targets",
      "Loops checked: 4 times the operations took 4.0 to 4.0",
      "Instructions for one operation: not available on this system (No such counter).",
    ] {
      #expect(text.contains(title))
    }
    #expect(text.hasPrefix("INTERRUPTED"))
    #expect(text.split(separator: "\n").last?.hasPrefix("INTERRUPTED") == true)
  }

  @Test("Contestants are listed under their categories, and a suite's text stands before its tables")
  func categories() {
    var contest = Measurements.sample([20, 20], [10, 10]).contests[0]
    contest.contestants[1].category = Category("fast", "what is fast")
    let reading = (0..<40).map { "word\($0)" }.joined(separator: " ")
    let text = TextReport(
      Report(
        run: .sample(), suites: [Suite.Heading(name: "sample", about: "x", reading: reading)],
        contests: [contest])
    ).text
    #expect(text.contains("\nfast: what is fast\n  b "))
    #expect(text.contains("== sample: x\n   word0 word1 "))
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 115 })
    #expect(text.contains("word39"))
  }

  @Test("The noise floor is printed where it was measured")
  func noise() {
    let floor = TextReport(.sample(["one": [10, 10], "other": [10.2, 10.2]], suite: NoiseFloor.suite)).text
    #expect(floor.contains("Noise floor: two identical contestants differ by 2.0 % with 1 thread."))
    #expect(!TextReport(.sample(["one": [10, 10], "other": [10.2, 10.2]])).text.contains("Noise floor"))
  }
}

extension String {
  /// The text with single spaces, so that lines can be compared without the widths of columns.
  fileprivate var replacingSpaces: String {
    split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
  }
}
