import Foundation
import Testing

@testable import CompileFail

@Suite struct TrapSurveyTests {
  private static let source = """
    func f() {
      misuse(
        "Lock", "taken \\(count) times",
        "take it once")
    }

    """
  private static let test = """
    #expect(processExitsWith: .failure) {}
    #expect(message == "Lock: taken 2 times; "
      + "take it once")

    """

  private static let sentence = "Lock: taken … times; take it once"

  private func problems(source: String = Self.source, test: String = Self.test) throws -> [String] {
    let folder = try TemporaryFolder(["Sources/Locks/Lock.swift": source, "Tests/LockTests.swift": test])
    return try TrapSurvey(ofPackage: folder.url).problems.map(\.text)
  }

  @Test func aSentenceInAnExitTestIsFound() throws {
    #expect(try problems() == [])
    let folder = try TemporaryFolder([
      "Sources/Locks/Lock.swift": Self.source, "Tests/LockTests.swift": Self.test,
    ])
    #expect(try TrapSurvey(ofPackage: folder.url).count == 1)
  }

  @Test func aTestMayNameThePrimitiveByAnInterpolation() throws {
    #expect(try problems(test: Self.test.replacingOccurrences(of: "Lock:", with: "\\(name):")) == [])
  }

  @Test func aMisuseMayHaveItsSentenceInTwoParts() throws {
    let constant = "let once =\n  \"take it \"\n  + \"once\"\n"
    for (instead, count) in [("\"take it once\"", 0), ("once", 0), ("twice", 1), ("\"take it\"", 1)] {
      let test = "processExitsWith\n\(constant)Misuse(\n  \"Lock: taken 2 times\", \(instead)) {}"
      #expect(try problems(test: test).count == count)
    }
  }

  @Test func aPrimitiveMayHaveALabel() throws {
    let source = Self.source.replacingOccurrences(of: "\"Lock\"", with: "\"Lock \\\"\\(label)\\\"\"")
    let test = Self.test.replacingOccurrences(of: "Lock:", with: "Lock \\\"mine\\\":")
    #expect(try problems(source: source, test: test) == [])
    #expect(try problems(source: source).count == 1)
  }

  @Test func aSentenceThatNoTestHasIsReported() throws {
    let missing = "no exit test checks this sentence:\n  \(Self.sentence)"
    #expect(try problems(test: "") == [missing])
    // A test must not count as a check if it contains only half of the message, the message of another type,
    // or the message in a comment. A test that is not an exit test must not count either.
    #expect(try problems(test: Self.test.replacingOccurrences(of: "once", with: "")) == [missing])
    #expect(try problems(test: Self.test.replacingOccurrences(of: "Lock:", with: "Key:")) == [missing])
    #expect(try problems(test: "// processExitsWith \"Lock: taken 2 times; take it once\"") == [missing])
    #expect(try problems(test: Self.test.replacingOccurrences(of: "processExits", with: "")) == [missing])
  }

  @Test func aFunctionMayPassOnASentenceFromItsCaller() throws {
    let source = """
      func trap(_ done: String, _ instead: String) -> Never { misuse("Lock", done, instead) }
      func f() { trap("taken \\(count) times", "take it once") }

      """
    #expect(try problems(source: source) == [])
    #expect(try problems(source: source, test: "").count == 1)
    // The survey would not find the calls of a function with another name.
    #expect(try problems(source: source.replacingOccurrences(of: "trap(", with: "end(")) != [])
  }

  @Test func aSurveyThatFindsNoTrapIsAProblem() throws {
    #expect(try problems(source: "func f() {}\n") == ["no trap was found"])
  }

  @Test func aReasonReplacesATest() throws {
    let untested = Self.source.replacingOccurrences(of: "  misuse(", with: "  // Untested: why\n  misuse(")
    #expect(try problems(source: untested, test: "") == [])
    #expect(
      try problems(source: untested) == [
        "it says `Untested:`, and an exit test checks it:\n  \(Self.sentence)"
      ])
  }

  @Test func theFormIsChecked() throws {
    for (old, new) in [("once", "once."), ("times", "times;")] {
      let found = try problems(source: Self.source.replacingOccurrences(of: old, with: new))
      #expect(found.count == 1 && found[0].hasPrefix("the form is "))
    }
    #expect(
      try problems(source: Self.source.replacingOccurrences(of: "\"take it once\"", with: "advice")) != [])
  }

  @Test(arguments: ["fatalError(\"no\")", "precondition(x > 0)", "preconditionFailure(\"no\")"])
  func anotherWayToTrapIsReported(call: String) throws {
    let found = try problems(source: Self.source + "func g() { \(call) }\n")
    #expect(found.count == 1 && found[0].hasSuffix("does not say what to do instead; use misuse(_:_:_:)"))
  }
}
