internal import BenchmarkHarness
internal import Testing

@Suite("Suite")
struct SuiteTests {
  @Test("A contest may need a longer run than others")
  func limited() {
    let contests = Options.Effort.allCases.map { effort in
      Contest(
        group: "group", title: effort.rawValue, metric: .cost, threads: 1, operationUnit: 1, reference: "a",
        contestants: [Contestant(name: "a") { _, count in count }], leastEffort: effort)
    }
    let suite = Suite(name: "sample", about: "", contests: contests)
    #expect(suite.limited(to: .quick).contests.map(\.title) == ["quick"])
    #expect(suite.limited(to: .standard).contests.map(\.title) == ["quick", "standard"])
    #expect(suite.limited(to: .full).contests.map(\.title) == ["quick", "standard", "full"])
  }
}
