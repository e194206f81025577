import Foundation
import Testing

@testable import CompileFail

@Suite struct SourceFileTests {
  private static let text = """
    // Title.

    func f() {
      one()
      // error: first message that
      // goes on
      // error: second message

      // A comment of its own.
      two()
      // error: third
    }

    """

  @Test func expectsWhatTheCommentsBelowALineSay() throws {
    let folder = try TemporaryFolder(["a.swift": Self.text])
    let file = try SourceFile(folder.url.appendingPathComponent("a.swift"))
    #expect(
      file.expectedErrors == [
        Diagnostic(line: 4, message: "first message that goes on"),
        Diagnostic(line: 4, message: "second message"),
        Diagnostic(line: 10, message: "third"),
      ])
  }

  @Test func knowsTheLinesOfTheMistakeAndOfTheCorrection() throws {
    let text = "a\n#if WRONG\n  b\n#else\n  c\n#endif\n#if !WRONG\n  d\n#endif\n// comment\ne\n"
    let folder = try TemporaryFolder(["a.swift": text])
    let file = try SourceFile(folder.url.appendingPathComponent("a.swift"))
    #expect(file.code(isWrong: true) == ["a", "b", "e"])
    #expect(file.code(isWrong: false) == ["a", "c", "d", "e"])
  }

  /// `--accept` writes the found errors into the file, so that the next run expects them.
  ///
  /// The rest of the file must be unchanged.
  @Test func writesWhatItReads() throws {
    let long = Array(repeating: "word", count: 40).joined(separator: " ")
    let errors = [Diagnostic(line: 4, message: long), Diagnostic(line: 10, message: "other")]
    let folder = try TemporaryFolder(["a.swift": Self.text])
    let url = folder.url.appendingPathComponent("a.swift")
    let before = try SourceFile(url)
    try before.text(expecting: errors).write(to: url, atomically: true, encoding: .utf8)
    let after = try SourceFile(url)
    #expect(after.expectedErrors.map(\.message) == [long, "other"])
    #expect(after.code(isWrong: true) == before.code(isWrong: true))
    #expect(after.lines.contains("  // A comment of its own."))
    #expect(after.lines.allSatisfy { $0.count <= 110 })
  }
}
