@testable import BenchmarkHarness
internal import Foundation
internal import Testing

/// Checks the measured report in `Benchmarks/Results`, which the README quotes.
@Suite("Report that is kept")
struct KeptReportTests {
  private let report: Report

  init() throws {
    let results = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Benchmarks/Results/epyc-2cpu.json")
    report = try Report(file: results.path)
  }

  @Test("Each kind of dispatch is measured as it is and without the exclusivity check")
  func dispatch() {
    for contest in report.contests where contest.suite == "property" {
      func names(_ title: String) -> [String] {
        contest.contestants.filter { $0.category?.title == title }.map(\.name)
      }
      // The contestant "key path" has no unchecked counterpart, because an access by a key path is always
      // checked for exclusivity.
      let checked = names("dispatch + check").filter { $0 != "key path" }
      #expect(!checked.isEmpty)
      #expect(Set(checked.map { "\($0), unchecked" }).isSubset(of: names("dispatch")), "\(contest.title)")
      #expect(names("lock").contains("Protector"))
      #expect(contest.contestants.allSatisfy { $0.category != nil })
    }
  }

  @Test("Loops with a local variable are vectorised where the order of the operations is free")
  func loops() throws {
    func cost(_ title: String) throws -> Double {
      let contest = try #require(report.contests.first { $0.suite == "property" && $0.title == title })
      return try #require(contest.contestant("local variable")?.summary?.median)
    }
    // A sum of floats can't be vectorised, because another order of the additions would give another sum. The
    // vectorised loops must be more than four times as fast.
    #expect(try cost("sum of integers") * 4 < cost("sum of Floats"))
    #expect(try cost("scaling of Floats") * 4 < cost("sum of Floats"))
  }

  @Test("The best other is one of the locks that a user could take, which the claim names")
  func peers() {
    let claims = report.targets.map(\.claim).filter { $0.contains("the best of") }
    let open = claims.filter { !$0.contains("all counted") }
    #expect(open.count == 45)
    #expect(
      open.allSatisfy {
        $0.contains("Protector on Compact, UnfairLock and Synchronization.Mutex")
          || $0.contains("pthread_rwlock, pthread_mutex and NSLock, all called")
      })
  }

  @Test("A ratio of locks is between inlined ones or between called ones")
  func categories() {
    #expect(report.complaints.isEmpty)
    let locks = report.contests.filter { ["locks", "mix"].contains($0.suite) && $0.metric != .waits }
    for contest in locks where contest.group != "2 threads, in phases" {
      #expect(contest.contestants.allSatisfy { ["inlined", "called"].contains($0.category?.title) })
    }
  }

  @Test("The noise floor was measured for every number of threads that others have")
  func noiseFloor() {
    let floors = report.noiseFloor.percent
    for contest in report.contests where !contest.metric.isCounted {
      #expect(floors[NoiseFloor.Kind(contest)] != nil, "\(contest.path)")
    }
  }
}
