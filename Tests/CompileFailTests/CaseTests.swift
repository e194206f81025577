import Foundation
import Testing

@testable import CompileFail

/// Tests how a case is read, and how it is judged.
///
/// The tests set the outcomes, so no file is compiled or run.
@Suite struct CaseTests {
  private static let refused = """
    // Doing it wrong.
    //
    // It goes
    // wrong.

    import UnfairLocks

    #if WRONG
      wrong()
      // error: is wrong
    #endif

    """
  private static let trapping = """
    // Mistake.
    //
    // Bug.
    //
    // Traps: Lock: done;
    // instead

    import UnfairLocks

    #if WRONG
      let isWrong = true
    #endif
    func run() {
    }

    """

  private func read(_ mistake: String, and files: [String: String] = [:]) throws -> Case {
    let folder = try TemporaryFolder(files.merging(["mistake.swift": mistake]) { $1 })
    return try Case(folder.url)
  }

  /// Returns the number of problems if the files of a case have these outcomes.
  ///
  /// By default each file has the outcome that the case expects.
  private func problems(
    _ mistake: String, wrong: Trial.Outcome? = nil, mode5: Trial.Outcome = Self.isWrong,
    fixed: Trial.Outcome? = nil, mutex: Trial.Outcome = .hangs
  ) throws -> Int {
    let example = try read(mistake, and: ["Mutex.swift": "func run() {\n}\n"])
    let isRefused = example.expectation == .refused
    example.wrong.end(wrong ?? (isRefused ? Self.isWrong : .traps("Interlock: Lock: done; instead")))
    example.wrongInMode5?.end(mode5)
    example.fixed.end(fixed ?? (isRefused ? .compiles : .right))
    example.mutex?.end(mutex)
    return example.judge().count
  }

  private static func errors(_ line: Int, _ message: String) -> Trial.Outcome {
    .errors([Diagnostic(line: line, message: message)], areWarnings: false)
  }
  private static let isWrong = errors(9, "is wrong")

  @Test func readsTheComment() throws {
    let example = try read(Self.refused)
    #expect(example.title == "Doing it wrong" && example.module == "UnfairLocks")
    #expect(example.expectation == .refused && !example.compilesInMode5 && example.mutex == nil)
    #expect(try read(Self.trapping).expectation == .traps("Interlock: Lock: done; instead"))
  }

  @Test(arguments: [
    ("// Doing", "\n// Doing"), ("wrong()", "// wrong()"), ("import UnfairLocks", "import Dispatch"),
    ("#endif", String(repeating: "line\n", count: 13) + "#endif"),
  ])
  func anIncompleteCaseIsRefused(old: String, new: String) throws {
    #expect(throws: Problem.self) {
      try read(Self.refused.replacingOccurrences(of: old, with: new))
    }
  }

  @Test func anotherFileIsRefused() throws {
    #expect(throws: Problem.self) { try read(Self.refused, and: ["NSLock.swift": ""]) }
  }

  @Test func aCheckWithoutCasesIsAProblem() throws {
    let folder = try TemporaryFolder([:])
    for names in [[], ["a-name"]] as [Set<String>] {
      var problems: [Problem] = []
      #expect(try CompileFail.read(folder.url, names: names, problems: &problems).isEmpty)
      #expect(!problems.isEmpty)
    }
  }

  @Test func aCorrectCaseHasNoProblem() throws {
    #expect(try problems(Self.refused) == 0)
    #expect(try problems(Self.trapping) == 0)
    let mode5 = Self.refused.replacingOccurrences(
      of: "\n\nimport", with: "\n//\n// It compiles in Swift 5 mode.\n\nimport")
    #expect(try problems(mode5, wrong: Self.errors(11, "is wrong"), mode5: .compiles) == 0)
  }

  @Test func aMistakeThatCompilesIsFound() throws {
    #expect(try problems(Self.refused, wrong: .compiles) > 0)
    #expect(try problems(Self.refused, mode5: .compiles) == 1)
  }

  @Test func anotherErrorIsFound() throws {
    #expect(try problems(Self.refused, wrong: Self.errors(9, "is odd")) == 1)
    #expect(try problems(Self.refused, wrong: Self.errors(7, "is wrong")) == 1)
    #expect(try problems(Self.refused, mutex: Self.isWrong) == 1)
  }

  @Test(arguments: [
    Trial.Outcome.right, .hangs, .crashes, .wrong("1"), .traps("Interlock: Lock: else; x"), .compiles,
  ])
  func anEndOtherThanTheTrapIsFound(outcome: Trial.Outcome) throws {
    #expect(try problems(Self.trapping, wrong: outcome) == 1)
  }

  @Test func aWrongCorrectionIsFound() throws {
    #expect(try problems(Self.refused, fixed: Self.errors(1, "no")) == 1)
    #expect(try problems(Self.trapping, fixed: .hangs) == 1)
    #expect(try problems(Self.trapping, fixed: .compiles) == 1)
  }

  @Test func aMutexThatCompilesHasToRun() throws {
    #expect(try problems(Self.refused, mutex: .compiles) == 1)
  }
}
