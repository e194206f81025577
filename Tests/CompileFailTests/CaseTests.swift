import Foundation
import Testing

@testable import CompileFail

@Suite struct CaseTests {
  private static let wrong = """
    // Doing it wrong.
    //
    // It goes
    // wrong.
    //
    // Not with Mutex, NSLock, pthread_rwlock: they can't.

    import UnfairLocks

    let lock = UnfairLok()
    // error: cannot find 'UnfairLok' in scope

    """
  private static let fixed = """
    import UnfairLocks

    let lock = UnfairLock()

    """

  private func files(wrong: String = Self.wrong, fixed: String = Self.fixed) -> [String: String] {
    ["wrong.swift": wrong, "fixed.swift": fixed, "SerialQueue.swift": "import Dispatch\n"]
  }

  /// The problem that `Case` reports for a folder with the given files; `nil` if there is no problem.
  private func problem(_ files: [String: String]) throws -> String? {
    let folder = try TemporaryFolder(files)
    do {
      _ = try Case(folder.url)
      return nil
    } catch let problem as Problem {
      return problem.text
    }
  }

  @Test func readsTheCommentAndTheFiles() throws {
    let folder = try TemporaryFolder(files())
    let example = try Case(folder.url)
    #expect(example.title == "Doing it wrong")
    #expect(example.bug == "It goes wrong.")
    #expect(example.module == "UnfairLocks")
    #expect(example.excuses == [.mutex: "they can't.", .nsLock: "they can't.", .pthread: "they can't."])
    #expect(Array(example.peers.keys) == [.serialQueue])
    guard case .refused = example.expectation else {
      Issue.record("it expects \(example.expectation)")
      return
    }
  }

  @Test func readsWhatHappensAtRunTime() throws {
    let folder = try TemporaryFolder(
      files(wrong: Self.wrong.replacingOccurrences(of: "// Not", with: "// Traps: A: b;\n// c\n//\n// Not")))
    guard case .traps(let sentence) = try Case(folder.url).expectation else {
      Issue.record("it does not expect a trap")
      return
    }
    #expect(sentence == "A: b; c")
  }

  @Test(arguments: ["wrong.swift", "fixed.swift", "SerialQueue.swift"])
  func needsEachFile(name: String) throws {
    var files = files()
    files[name] = nil
    #expect(try problem(files) == "no \(name)")
  }

  @Test func needsAComment() throws {
    let text = try problem(files(wrong: Self.fixed.replacingOccurrences(of: "let", with: "var")))
    #expect(text?.contains("has to begin with a comment") == true)
  }

  @Test func aPeerIsThereOrExcused() throws {
    var files = files()
    files["Mutex.swift"] = ""
    #expect(try problem(files) == "Mutex.swift exists, and `Not with` it too")
  }

  @Test func anExcuseHasAReason() throws {
    let text = try problem(files(wrong: Self.wrong.replacingOccurrences(of: ": they can't.", with: "")))
    #expect(text?.hasPrefix("no reason: ") == true)
  }

  @Test func aTwinDiffers() throws {
    #expect(try problem(files(fixed: Self.wrong)) == "fixed.swift does not differ from wrong.swift")
    // `Case` also refuses a corrected file that differs from the wrong file only in a comment.
    let commented = "// Right.\n" + Self.fixed
    #expect(
      try problem(files(wrong: Self.wrong.replacingOccurrences(of: "Lok", with: "Lock"), fixed: commented))
        != nil)
  }

  @Test func aTwinDiffersInTheFixOnly() throws {
    let long = Self.fixed + (0..<20).map { "let number\($0) = \($0)\n" }.joined()
    #expect(try problem(files(fixed: long))?.hasSuffix("are a lot for a fix") == true)
  }

  @Test func aTwinExpectsNoError() throws {
    #expect(try problem(files(fixed: Self.fixed + "// error: what\n")) == "fixed.swift expects an error")
  }
}
