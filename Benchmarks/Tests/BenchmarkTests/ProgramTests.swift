internal import BenchmarkHarness
internal import Foundation
internal import Testing

@testable import benchmarks

/// Checks the suites and the claims of the program, without measuring.
@Suite("Suites and claims")
struct ProgramTests {
  private static let suites = BenchmarkHarness.Suite.all

  /// The contestant that a claim names, with its contest.
  private func find(_ path: Target.Path) -> (contest: Contest, contestant: Contestant)? {
    Self.suites.filter { $0.name == path.suite }.flatMap(\.contests)
      .filter { $0.group == path.group && $0.title == path.contest }
      .flatMap { contest in contest.contestants.filter { $0.name == path.contestant }.map { (contest, $0) } }
      .first
  }

  @Test("Each claim names contestants that a standard run measures, of one category")
  func claims() {
    for target in Target.all {
      let found = target.paths.compactMap(find)
      #expect(found.count == target.paths.count, "\(target.claim)")
      #expect(found.allSatisfy { $0.contest.leastEffort <= .standard }, "\(target.claim)")
      // A claim must not compare a lock that is inlined with a lock that is not.
      #expect(Set(found.compactMap { $0.contestant.category?.title }).count <= 1, "\(target.claim)")
    }
  }

  @Test("Names are unique, and each contest has its reference")
  func names() {
    let paths = Self.suites.flatMap(\.paths)
    #expect(Set(paths).count == paths.count)
    for contest in Self.suites.flatMap(\.contests) {
      #expect(contest.contestants.contains { $0.name == contest.reference }, "\(contest.title)")
    }
  }

  @Test("The noise floor is measured for every number of threads that others have")
  func noiseFloor() {
    func kinds(_ suites: [BenchmarkHarness.Suite], _ effort: Effort) -> Set<NoiseFloor.Kind> {
      let contests = suites.flatMap { $0.selected(by: [], effort: effort).contests }
      return Set(
        contests.filter { !$0.metric.isCounted }.map { NoiseFloor.Kind($0.metric, threads: $0.threads) })
    }
    for effort in [Effort.quick, .standard, .full] {
      let checked = kinds(Self.suites.filter { $0.name == NoiseFloor.suite }, effort)
      #expect(kinds(Self.suites, effort).isSubset(of: checked))
    }
  }

  @Test("Each kind of dispatch is measured as it is and without the exclusivity check")
  func dispatch() {
    for contest in BenchmarkHarness.Suite.property.contests {
      func names(_ title: String) -> [String] {
        contest.contestants.filter { $0.category?.title == title }.map(\.name)
      }
      // An access by a key path is always checked for exclusivity.
      let checked = names("dispatch + check").filter { $0 != "key path" }
      #expect(!checked.isEmpty)
      #expect(Set(checked.map { "\($0), unchecked" }).isSubset(of: names("dispatch")), "\(contest.title)")
      #expect(names("lock").contains("Protector"))
      #expect(contest.contestants.allSatisfy { $0.category != nil })
    }
  }

  @Test("A filter and the effort choose contests")
  func selection() {
    let locks = BenchmarkHarness.Suite.locks
    let quick = locks.selected(by: ["4 threads/", "UNCONTENDED/read/nslock"], effort: .quick)
    #expect(quick.paths == ["locks/uncontended/read/NSLock"])
    #expect(locks.selected(by: ["/64 threads/"], effort: .full).contests.count == 3)
    #expect(locks.selected(by: [], effort: .full).paths == locks.paths)
  }

  @Test("In the report that the README quotes, loops are vectorized where the order is free")
  func keptReport() throws {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Results/epyc-2cpu.json")
    let report = try Report(json: String(contentsOf: path, encoding: .utf8))
    #expect(report.complaints.isEmpty && !report.isInterrupted)
    func cost(_ title: String) throws -> Double {
      let contest = try #require(report.contests.first { $0.suite == "property" && $0.title == title })
      return try #require(contest.contestant("local variable")?.summary?.median)
    }
    // A sum of floats can't be vectorized, because another order of the additions would give another sum.
    #expect(try cost("sum of integers") * 4 < cost("sum of Floats"))
    #expect(try cost("scaling of Floats") * 4 < cost("sum of Floats"))
  }
}
