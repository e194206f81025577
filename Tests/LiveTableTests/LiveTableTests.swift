import Foundation
import TestSupport
import Testing

@testable import ViewModels
@testable import livetable

/// Tests the parts of the program that need no process.
@MainActor
@Suite struct LiveTableTests {
  // MARK: Arguments

  @Test("all options, separated by a space or an equals sign")
  func options() throws {
    let options = try Options(parsing: [
      "--workers", "3", "--speed=2.5", "--rows=7", "--strategy", "mainActor", "--lock=spin", "--duration",
      "9",
      "--plain",
    ])
    #expect(options.workers == 3 && options.speed == 2.5 && options.rows == 7)
    #expect(options.strategy == .mainActor && options.lock == .spin && options.duration == .seconds(9))
    #expect(options.isPlain && !options.wantsHelp)
    #expect(
      try Options(parsing: ["-h"]).wantsHelp && Options(parsing: []) == Options(parsing: ["--rows", "20"]))
  }

  @Test(
    "a mistake is named",
    arguments: [
      (["--workers"], "--workers needs a value"), (["--lock="], "--lock needs a value"),
      (["--workers", "-1"], "--workers needs a whole number from 0 to 1000, not '-1'"),
      (["--rows", "1e3"], "--rows needs a whole number from 0 to 1000000, not '1e3'"),
      (["--speed", "0"], "--speed needs a positive number up to 1e9, not '0'"),
      (["--duration", "nan"], "--duration needs a positive number up to 1e9, not 'nan'"),
      (["--strategy", "tree"], "--strategy needs one of snapshots, mainActor, not 'tree'"),
      (["--lock", "no"], "--lock needs one of biased, compact, unfair, posix, spin, dispatch, not 'no'"),
      (["--plain=yes"], "unknown argument '--plain=yes'"), (["x"], "unknown argument 'x'"),
    ])
  func mistakes(arguments: [String], text: String) {
    #expect(throws: Options.Mistake(text: text)) { try Options(parsing: arguments) }
  }

  @Test("random arguments are parsed or refused, and random keys are handled")
  func randomInput() {
    var random = Seed.current.generator(stream: 3)
    let words = ["--workers", "--speed=", "--lock", "=", "", "--", "9", "-h", "--duration", "\u{1B}[", "é"]
    var screen = Screen()
    for _ in 0..<StressSize.pick(quick: 2_000, full: 200_000) {
      let arguments = (0..<4).map { _ in words.randomElement(using: &random)! }
      if let options = try? Options(parsing: arguments) { #expect(options.speed > 0) }
      let bytes = (0..<6).map { _ in
        random.happens(percent: 50)
          ? UInt8.random(in: 0...255, using: &random)
          : Array("\u{1B}[5~AB".utf8).randomElement(using: &random)!
      }
      for key in Key.all(in: bytes) { _ = screen.press(key, page: 5, rowCount: 9) }
      #expect((0...4).contains(screen.start))
    }
  }

  // MARK: Keys

  @Test("keys from their bytes")
  func keys() {
    #expect(
      Key.all(in: Array("q\u{1B}[A\u{1B}OB\r\u{7F}".utf8)) == [
        .character("q"), .up, .down, .enter, .backspace,
      ])
    #expect(Key.all(in: Array("\u{1B}[5~\u{1B}[6~\u{1B}".utf8)) == [.pageUp, .pageDown, .escape])
    #expect(Key.all(in: Array("\u{1B}[1;5Hx\u{1}é\u{1B}[".utf8)) == [.character("x")])
  }

  @Test("what keys do")
  func commands() {
    var screen = Screen()
    func press(_ keys: String) -> [Screen.Command?] {
      Key.all(in: Array(keys.utf8)).map { screen.press($0, page: 10, rowCount: 25) }
    }
    #expect(press("qpsl") == [.quit, .pause, .nextStrategy, .nextLock])
    #expect(press("r12\r") == [nil, nil, nil, .restart(workers: 12)] && screen.typed == nil)
    #expect(press("rq1\u{1B}") == [nil, nil, nil, nil] && screen.typed == nil, "escape leaves the question")
    #expect(press("r\r") == [nil, nil])
    #expect(press("r123456") == Array(repeating: nil, count: 7) && screen.typed == "123")
    _ = press("\u{1B}")
    _ = press("\u{1B}[B\u{1B}[6~")
    #expect(screen.start == 11)
    _ = press("\u{1B}[6~\u{1B}[6~")
    #expect(screen.start == 15, "the last page")
    _ = press("\u{1B}[5~\u{1B}[5~\u{1B}[5~\u{1B}[A")
    #expect(screen.start == 0)
  }

  // MARK: Screen and audit

  private func session() throws -> Session {
    Session(try Options(parsing: ["--workers", "0", "--rows", "30"]))
  }

  @Test("a picture has the size of the terminal, and marks changed rows until their time is over")
  func picture() throws {
    let session = try session()
    session.model.apply(.append("!", to: .index(1)))
    session.model.apply(.insert("new", at: .index(0)))
    session.model.deliverPending()
    var screen = Screen()
    func lines(_ columns: Int, _ rows: Int) -> [String] {
      screen.picture(of: session, size: Screen.Size(columns: columns, rows: rows))
        .components(separatedBy: "\n")
    }
    let picture = lines(40, 8)
    #expect(picture.count == 8)
    #expect(picture[2].contains("\u{1B}[32m+ 1  new\u{1B}[m"))
    #expect(picture[4].contains("\u{1B}[33m~ 3  row-1!\u{1B}[m"))
    #expect(picture[1].contains("0 workers, snapshots behind biased, gene\u{1B}"), "cut at the right edge")
    #expect(lines(80, 1).count == 1 && lines(0, 0) == ["\u{1B}[H\u{1B}[J"])
    screen.start = 1_000
    #expect(lines(80, 8)[6].contains("  31  row-29"))
    for _ in 0..<20 { session.table.pass() }
    screen.start = 0
    #expect(lines(80, 8)[2].contains("\u{1B}[m  1  new"))
  }

  @Test("a change that breaks the table rule, an edit that is missing and a model that is left are found")
  func wrongAudit() async throws {
    var session = try session()
    let row = session.table.rows[0]
    session.table.rowRemoved(
      RowNotification(
        change: .removed, index: 0, row: row, rows: session.table.rows, number: 1, generation: 1))
    var audit = await session.end()
    #expect(audit.violations == 1 && !audit.agrees && audit.isComplete && audit.remains == 0)
    #expect(audit.text.contains("  WRONG  changes that broke the table rule: 1\n"))
    #expect(audit.text.hasSuffix("\nThe audit is not clean."))

    session = try self.session()
    session.model.observer = nil
    session.model.apply(.insert("not shown", at: .index(0)))
    let model = session.model
    audit = await session.end()
    #expect(audit.violations == 0 && !audit.isComplete && audit.remains == 1 && !audit.isClean)
    withExtendedLifetime(model) {}
  }
}
