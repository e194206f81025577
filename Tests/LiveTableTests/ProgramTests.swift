internal import Commands
internal import Foundation
internal import LiveTables
internal import TestSupport
internal import Testing
internal import ViewModels

// The tests are serialized, because each one runs a program with several threads.
@Suite("Without a terminal", .serialized)
struct ProgramTests {
  /// A path for a temporary file that does not exist.
  private let path = temporaryPath("livetable")

  private func audit(_ run: ProgramUnderTest.Run) throws -> [String: Any] {
    let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    return try #require(object as? [String: Any])
  }

  @Test("Each strategy ends with a clean audit", arguments: RowsStrategy.allCases)
  func strategies(strategy: RowsStrategy) throws {
    let run = try ProgramUnderTest.run([
      "--plain", "--workers", "8", "--speed", "1000", "--duration", "0.5", "--strategy", strategy.rawValue,
    ])
    #expect(run.status == 0, "\(run.error)")
    #expect(run.error == "")
    #expect(run.output.contains(" s  generation 1  rows 16  edits "))
    #expect(run.output.contains("\nAudit  \(strategy.rawValue), seed "))
    #expect(run.output.hasSuffix("\nThe audit is clean.\n"))
    #expect(!run.output.contains("\u{1B}"))
  }

  @Test("Each lock ends with a clean audit", arguments: RowsLock.allCases)
  func locks(lock: RowsLock) throws {
    let run = try ProgramUnderTest.run([
      "--plain", "--workers", "8", "--speed", "1000", "--duration", "0.3", "--lock", lock.rawValue,
    ])
    #expect(run.status == 0, "\(run.error)")
    let strategy = lock == .biased ? "tree" : "tree behind \(lock.rawValue)"
    #expect(run.output.contains("\nAudit  \(strategy), seed "))
    #expect(run.output.hasSuffix("\nThe audit is clean.\n"))
  }

  @Test("The last rows are saved, also while threads edit")
  func save() throws {
    let run = try ProgramUnderTest.run([
      "--json", "--workers", "8", "--speed", "1000", "--duration", "0.5", "--save", path,
    ])
    #expect(run.status == 0, "\(run.error)")
    let rows = try #require(try audit(run)["rows"] as? [String: Any])
    let model = try #require(rows["model"] as? [String: Any])
    let lines = try String(contentsOfFile: "\(path)/rows.txt", encoding: .utf8).split(separator: "\n")
    #expect(lines.count == model["count"] as? Int)
    let failed = try ProgramUnderTest.run(["--plain", "--duration", "9", "--save", "/dev/null/folder"])
    #expect(failed.status == 1)
    #expect(failed.error.hasPrefix("livetable: can't write /dev/null/"))
    #expect(failed.output.hasSuffix("\nThe audit is clean.\n"))
  }

  @Test("A profile of contention is shown while the program runs, and in full before the audit")
  func contention() throws {
    let run = try ProgramUnderTest.run([
      "--plain", "--contention", "--workers", "8", "--speed", "1000", "--duration", "0.5",
    ])
    #expect(run.status == 0, "\(run.error)")
    #expect(run.output.contains("\n contention  "))
    #expect(run.output.contains("\nContention in "))
    #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
    #expect(run.output.hasSuffix("\nThe audit is clean.\n"))
  }

  @Test("The JSON document is all there is on standard output, and says what was done")
  func json() throws {
    let run = try ProgramUnderTest.run([
      "--json", "--workers", "3", "--speed", "1000", "--duration", "0.3", "--seed", "7", "--rows", "5",
    ])
    #expect(run.status == 0)
    let audit = try audit(run)
    #expect(audit["clean"] as? Bool == true)
    #expect(audit["seed"] as? String == "7")
    let generation = try #require((audit["generations"] as? [[String: Any]])?.first)
    #expect(generation["workers"] as? Int == 3)
    let posted = try #require(generation["posted"] as? Int)
    let rows = try #require(audit["rows"] as? [String: Any])
    let (inserted, removed, modified) = (
      rows["inserted"] as? Int, rows["removed"] as? Int, rows["modified"] as? Int
    )
    #expect(try #require(inserted) + #require(removed) + #require(modified) == posted)
    #expect((audit["lockHoldNanoseconds"] as? [String: Any])?["p99"] is Int)
  }

  @Test(
    "A model that is wrong is found every time, with workers and without",
    arguments: [Options.Bug.unlockFirst, .pull], [0, 8])
  func bugs(bug: Options.Bug, workers: Int) throws {
    for strategy in ["array", "tree"] {
      let run = try ProgramUnderTest.run([
        "--json", "--bug", bug.rawValue, "--workers", "\(workers)", "--duration", "0.05", "--strategy",
        strategy,
      ])
      #expect(run.status == 1)
      let audit = try audit(run)
      #expect(audit["clean"] as? Bool == false)
      #expect(try #require(audit["violations"] as? Int) > 0)
    }
  }

  @Test("A core in C owns the rows, and the audit is clean")
  func core() throws {
    let run = try ProgramUnderTest.run([
      "--plain", "--core", "c", "--workers", "8", "--speed", "1000", "--duration", "0.5",
    ])
    #expect(run.status == 0, "\(run.output)")
    #expect(run.output.contains("\nAudit  core c, seed "))
    #expect(run.output.contains("ok    edits of the core that were refused 0\n"))
    #expect(run.output.hasSuffix("\nThe audit is clean.\n"))
  }

  @Test(
    "A core that errs is found every time, with workers and without",
    arguments: [Options.Bug.unordered, .wrongRow, .late], [0, 8])
  func bugsOfCore(bug: Options.Bug, workers: Int) throws {
    let run = try ProgramUnderTest.run([
      "--json", "--core", "c", "--bug", bug.rawValue, "--workers", "\(workers)", "--duration", "0.05",
    ])
    #expect(run.status == 1)
    let audit = try audit(run)
    #expect(audit["clean"] as? Bool == false)
    let figure = bug == .wrongRow ? "violations" : "refusedEdits"
    #expect(try #require(audit[figure] as? Int) > 0)
  }

  @Test("A core that can't be loaded is reported with the reason")
  func missingCore() throws {
    let missing = try ProgramUnderTest.run(["--plain", "--core", "rust:/nowhere/core.so"])
    #expect(missing.status == 1)
    #expect(missing.error.hasPrefix("livetable: can't load a core: /nowhere/core.so: "))
    let unbuilt = try ProgramUnderTest.run(["--plain", "--core", "rust:/dev/null"])
    #expect(unbuilt.status == 1)
    #expect(unbuilt.output == "")
  }

  @Test("Interrupted, the program still prints the audit", arguments: [SIGINT, SIGQUIT, SIGTERM, SIGHUP])
  func interrupted(signal: Int32) throws {
    let run = try ProgramUnderTest.run(["--plain", "--speed", "1000", "--duration", "10000"]) {
      kill($0, signal)
    }
    #expect(run.status == 0)
    #expect(run.output.hasSuffix("\nThe audit is clean.\n"))
  }

  @Test("Signalled twice, as `timeout` does, the program still prints the audit and ends its record")
  func interruptedTwice() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let run = try ProgramUnderTest.run([
      "--plain", "--speed", "1000", "--duration", "10000", "--record", path,
    ]) {
      kill($0, SIGTERM)
      kill($0, SIGHUP)
    }
    #expect(run.status == 0)
    #expect(run.output.hasSuffix("\nThe audit is clean.\n"))
    #expect(try Recording(parsing: InputFile.text(path: path)).count >= 0)
  }

  @Test("A speed of almost nothing is one", arguments: ["1e-300", "5e-324"])
  func leastSpeed(speed: String) throws {
    let run = try ProgramUnderTest.run(["--plain", "--speed", speed, "--duration", "0.1"])
    #expect(run.status == 0, "\(run.error)")
  }

  @Test("Wrong arguments: one line that names the one at fault, and status 2")
  func wrongArguments() throws {
    let run = try ProgramUnderTest.run(["--workers", "many"])
    #expect(run.status == 2)
    #expect(run.output == "")
    #expect(
      run.error
        == "livetable: --workers needs a whole number from 0 to 1000, not 'many' (see --help)\n")
    let help = try ProgramUnderTest.run(["--help"])
    #expect(help.status == 0)
    #expect(help.output == Options.help + "\n")
  }

  // MARK: Records

  @Test(
    "A record that is replayed ends with the same rows, with each strategy", arguments: RowsStrategy.allCases)
  func replay(strategy: RowsStrategy) throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let recorded = try ProgramUnderTest.run([
      "--json", "--speed", "2000", "--duration", "0.5", "--strategy", strategy.rawValue, "--record", path,
    ])
    #expect(recorded.status == 0)
    let recording = try Recording(parsing: try InputFile.text(path: path))
    let audit = try audit(recorded)
    let generations = try #require(audit["generations"] as? [[String: Any]])
    #expect(generations.first?["posted"] as? Int == recording.entries.count - 1)
    for way in RowsStrategy.allCases.map({ ["--strategy", $0.rawValue] }) + [["--core", "c"]] {
      let replayed = try ProgramUnderTest.run(["--json", "--replay", path] + way)
      #expect(replayed.status == 0, "\(replayed.output)")
      let rows = try #require(try self.audit(replayed)["rows"] as? [String: Any])
      let fingerprints = ["model", "mirror", "recorded"].map {
        (rows[$0] as? [String: Any])?["fingerprint"] as? String
      }
      #expect(
        fingerprints == Array(repeating: Recording.hexadecimal(recording.fingerprint), count: 3))
    }
  }

  @Test("A record is written while it runs, with the workers' names, and with several generations")
  func recordOfGenerations() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let program = try ProgramUnderTest(["--workers", "4", "--speed", "500", "--record", path])
    func recorded(_ text: String) -> Bool { (try? InputFile.text(path: path))?.contains(text) == true }
    try program.wait("the first generation") { _ in recorded("\"worker\":3}}") }
    program.type("r2\r")
    try program.wait("the second generation") { _ in
      recorded("\n{\"generation\":{\"number\":2,\"workers\":2}}\n{\"insert\":")
    }
    program.type("q")
    #expect(try program.waitForExit() == 0)
    let replayed = try ProgramUnderTest.run(["--json", "--replay", path])
    #expect(replayed.status == 0, "\(replayed.output)")
    let generations = try #require(try audit(replayed)["generations"] as? [[String: Any]])
    #expect(generations.count == 2)
    #expect(generations.allSatisfy { $0["dropped"] as? Int == 0 })
  }

  @Test("A record with another end is found")
  func otherEnd() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Recording.text([
      .head(version: Recording.version, seed: 1, rows: ["row-0"]), .generation(number: 2, workers: 0),
      .insert(sequence: 1, worker: 1, index: 1, text: "thread-1"), .end(count: 2, fingerprint: 1),
    ]).write(toFile: path, atomically: true, encoding: .utf8)
    let run = try ProgramUnderTest.run(["--plain", "--replay", path])
    #expect(run.status == 1)
    #expect(run.output.contains("WRONG the record's rows 2 #0000000000000001 = the model's 2 #"))
  }

  @Test("An edit that can't be replayed is reported with its line", arguments: RowsStrategy.allCases)
  func impossibleEdit(strategy: RowsStrategy) throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Recording.text([
      .head(version: Recording.version, seed: 1, rows: ["a"]), .generation(number: 2, workers: 0),
      .remove(sequence: 1, index: 0), .append(sequence: 2, worker: 1, index: 0, text: "-1"),
      .end(count: 0, fingerprint: 0),
    ]).write(toFile: path, atomically: true, encoding: .utf8)
    let run = try ProgramUnderTest.run(["--replay", path, "--strategy", strategy.rawValue])
    #expect(run.status == 1)
    #expect(run.error == "livetable: \(path), line 4: there is no row 0\n")
  }

  @Test("A record that is malformed, unreadable or unwritable is reported")
  func unusableFiles() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    try "{\"head\":{\"version\":2}}\n".write(toFile: path, atomically: true, encoding: .utf8)
    let malformed = try ProgramUnderTest.run(["--replay", path])
    #expect(malformed.status == 1)
    #expect(malformed.error == "livetable: \(path), line 1: no 'seed' in 'head'\n")
    let missing = try ProgramUnderTest.run(["--replay", path + "/missing"])
    #expect(missing.status == 1)
    #expect(missing.error == "livetable: can't read \(path)/missing: Not a directory\n")
    let unwritable = try ProgramUnderTest.run(["--record", path + "/missing"])
    #expect(unwritable.status == 1)
    #expect(unwritable.error == "livetable: can't write \(path)/missing: Not a directory\n")
  }
}
