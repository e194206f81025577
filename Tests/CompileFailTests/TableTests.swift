import Foundation
import Testing

@testable import CompileFail

/// Tests the rows of `Table`: a row must state the outcomes of one mistake in the folder `Cases`.
@Suite struct TableTests {
  private static let mistake = """
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

  /// Makes the table for one mistake and returns its row.
  ///
  /// - Parameters:
  ///   - peer: The outcome of the program that makes the same mistake with another library.
  ///   - written: The text of the existing table.
  private func row(peer: Outcome, written: String = "") throws -> String {
    let folder = try TemporaryFolder([
      "mistake.swift": Self.mistake, "SerialQueue.swift": "func run() {}\n",
    ])
    var examination = Examination([try Case(folder.url)])
    let results: [Trial.Role: Trial.Result] = [
      .wrong: .errors([Diagnostic(line: 10, message: "is wrong")]), .fixed: .compiles,
      .peer(.serialQueue): .ran(peer),
    ]
    for index in examination.trials.indices {
      examination.trials[index].result = results[examination.trials[index].role]!
    }
    let name = examination.cases[0].name
    var table = Table(examination: examination)
    table.written = written.replacingOccurrences(of: "NAME", with: name)
    let line = table.text.components(separatedBy: "\n").first { $0.contains("(Cases/\(name))") }
    return try #require(line).replacingOccurrences(of: name, with: "NAME")
  }

  private func row(_ word: String) -> String {
    "|[Mistake](Cases/NAME)|**refused**|–|–|–|\(word)|"
  }

  @Test func theRowHasThePeersEnd() throws {
    #expect(try row(peer: .hangs) == row("hangs"))
    #expect(try row(peer: .hangs, written: "another page") == row("hangs"))
  }

  @Test func oneBadEndOfAPeerIsAsGoodAsAnother() throws {
    #expect(try row(peer: .hangs, written: row("wrong")) == row("wrong"))
    #expect(try row(peer: .crashes, written: row("traps")) == row("traps"))
  }

  @Test func aGoodEndIsNoBadOne() throws {
    #expect(try row(peer: .harmless, written: row("hangs")) == row("harmless"))
    #expect(try row(peer: .hangs, written: row("harmless")) == row("hangs"))
    #expect(try row(peer: .hangs, written: row("refused")) == row("hangs"))
  }
}
