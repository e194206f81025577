import Foundation
import Testing

@testable import CompileFail

@Suite struct CaseTests {
  private static let mistake = """
    // Doing it wrong.
    //
    // It goes
    // wrong.
    //
    // Not with Mutex, NSLock, pthread_rwlock: they can't.

    import UnfairLocks

    #if WRONG
      let lock = UnfairLok()
      // error: cannot find 'UnfairLok' in scope
    #else
      let lock = UnfairLock()
    #endif

    """

  private func files(
    replacing old: String = "", by new: String = "", peers: [String] = ["SerialQueue.swift"]
  ) -> [String: String] {
    let mistake = Self.mistake.replacingOccurrences(of: old, with: new)
    let others = peers.map { ($0, "import Dispatch\n") }
    return Dictionary([("mistake.swift", mistake)] + others, uniquingKeysWith: { one, _ in one })
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
      files(replacing: "// Not", by: "// Traps: A: b;\n// c\n//\n// Not"))
    guard case .traps(let sentence) = try Case(folder.url).expectation else {
      Issue.record("it does not expect a trap")
      return
    }
    #expect(sentence == "A: b; c")
  }

  @Test(arguments: ["mistake.swift", "SerialQueue.swift"])
  func needsEachFile(name: String) throws {
    var files = files()
    files[name] = nil
    #expect(try problem(files) == "no \(name)")
  }

  @Test func needsAComment() throws {
    let text = try problem(files(replacing: "// Doing", by: "\n// Doing"))
    #expect(text?.contains("has to begin with a comment") == true)
  }

  @Test func aPeerIsThereOrExcused() throws {
    let text = try problem(files(peers: ["SerialQueue.swift", "Mutex.swift"]))
    #expect(text == "a file with Mutex, and `Not with` it too")
  }

  @Test func peersCanShareAFile() throws {
    let folder = try TemporaryFolder(
      files(replacing: "Mutex, NSLock", by: "Mutex", peers: ["NSLock+SerialQueue.swift"]))
    let example = try Case(folder.url)
    #expect(Set(example.peers.keys) == [.nsLock, .serialQueue])
    #expect(Set(example.peers.values.map(\.url.lastPathComponent)) == ["NSLock+SerialQueue.swift"])
  }

  @Test func aFileIsAboutKnownPeersOnce() throws {
    #expect(try problem(files(peers: ["SpinLock.swift"])) == "no peer SpinLock")
    let text = try problem(files(peers: ["SerialQueue.swift", "NSLock+SerialQueue.swift"]))
    #expect(text == "two files with SerialQueue")
  }

  @Test func anExcuseHasAReason() throws {
    let text = try problem(files(replacing: ": they can't.", by: ""))
    #expect(text?.hasPrefix("no reason: ") == true)
  }

  /// A correction that differs from the mistake only in a comment must be reported.
  @Test func aCorrectionDiffers() throws {
    let text = try problem(files(replacing: "UnfairLok()", by: "UnfairLock()"))
    #expect(text == "the correction does not differ from the mistake")
  }

  @Test func aCorrectionDiffersInTheFixOnly() throws {
    let long = (0..<20).map { "let number\($0) = \($0)\n" }.joined()
    #expect(
      try problem(files(replacing: "#endif", by: long + "#endif"))?.hasSuffix("are a lot for a fix") == true)
  }
}
