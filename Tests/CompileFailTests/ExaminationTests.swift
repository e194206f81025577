import Foundation
import Testing

@testable import CompileFail

/// Tests how `Examination` judges cases.
///
/// The tests set the results, so no file is compiled or run.
@Suite struct ExaminationTests {
  private static let refused = """
    // Mistake.
    //
    // Bug.
    //
    // Not with Mutex, NSLock, pthread_rwlock: no.

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
    // Traps: Lock: done; instead
    //
    // Not with Mutex, NSLock, pthread_rwlock: no.

    import UnfairLocks

    #if WRONG
      let isWrong = true
    #endif
    func run() {}

    """

  /// Returns the problems that `Examination` finds if the files of a case have the given results.
  ///
  /// By default each file has the result that the case expects.
  private func problems(
    _ wrong: String, wrong wrongResult: Trial.Result? = nil, fixed: Trial.Result = .compiles,
    peer: Trial.Result = .ran(.hangs)
  ) throws -> [String] {
    let folder = try TemporaryFolder([
      "mistake.swift": wrong, "SerialQueue.swift": "func run() {}\n",
    ])
    let expected: Trial.Result =
      wrong == Self.refused
      ? .errors([Diagnostic(line: 10, message: "is wrong")])
      : .ran(.traps(sentence: "Interlock: Lock: done; instead"))
    var examination = Examination([try Case(folder.url)])
    let results = [Trial.Role.wrong: wrongResult ?? expected, .fixed: fixed, .peer(.serialQueue): peer]
    for index in examination.trials.indices {
      examination.trials[index].result = results[examination.trials[index].role]!
    }
    return examination.judge().map(\.text)
  }

  @Test func aCorrectCaseHasNoProblem() throws {
    #expect(try problems(Self.refused) == [])
    #expect(try problems(Self.trapping, fixed: .ran(.harmless)) == [])
  }

  @Test func anExaminationWithoutACaseIsAProblem() {
    #expect(Examination([]).judge().map(\.text) == ["no case was examined"])
  }

  @Test func aMistakeThatCompilesIsFound() throws {
    #expect(try problems(Self.refused, wrong: .compiles).first == "it compiles")
  }

  @Test func anErrorThatChangesIsShown() throws {
    let text = try problems(Self.refused, wrong: .errors([Diagnostic(line: 10, message: "is odd")])).joined()
    #expect(text.contains("- line 10: is wrong"))
    #expect(text.contains("+ line 10: is odd"))
  }

  @Test func anErrorElsewhereIsFound() throws {
    #expect(try problems(Self.refused, wrong: .errors([Diagnostic(line: 7, message: "is wrong")])).count == 1)
  }

  @Test(arguments: [
    Outcome.harmless, .hangs, .crashes, .silentlyWrong("1"), .traps(sentence: "Interlock: Lock: else; x"),
  ])
  func anEndOtherThanTheTrapIsFound(outcome: Outcome) throws {
    #expect(try problems(Self.trapping, wrong: .ran(outcome)).count == 1)
  }

  /// A comment that expects an error in the correction must be reported as a problem.
  ///
  /// The comments are compared with the errors of the mistake, which has no such error.
  @Test func anErrorExpectedInTheCorrectionIsFound() throws {
    let text = Self.refused.replacingOccurrences(
      of: "#endif", with: "#else\n  right()\n  // error: no\n#endif")
    #expect(try problems(text, wrong: .errors([Diagnostic(line: 10, message: "is wrong")])).count == 1)
  }

  @Test func aCorrectionThatDoesNotCompileIsFound() throws {
    let text = try problems(Self.refused, fixed: .errors([Diagnostic(line: 1, message: "no")]))
    #expect(text.first?.hasPrefix("the correction does not compile") == true)
  }

  @Test func aCorrectionThatGoesWrongIsFound() throws {
    #expect(try problems(Self.trapping, fixed: .ran(.hangs)).count == 1)
  }

  @Test func aPeersErrorThatNobodyExpectsIsFound() throws {
    #expect(try problems(Self.refused, peer: .errors([Diagnostic(line: 1, message: "typo")])).count == 1)
  }

  @Test func aPeerThatCompilesHasToRun() throws {
    #expect(try problems(Self.refused, peer: .compiles).count == 1)
  }
}
