internal import Commands
internal import LiveTables
internal import Testing
internal import ViewModels

@Suite("Options")
struct OptionsTests {
  @Test("No arguments: the tree, without a bug, and all else left to the program")
  func defaults() throws {
    let options = try Options(parsing: [])
    #expect(options == Options())
    #expect(options.strategy == .tree)
    #expect(options.bug == Options.Bug.none)
  }

  @Test("Every option is understood, in any order")
  func allOptions() throws {
    var expected = Options()
    expected.workers = 0
    expected.duration = .milliseconds(2500)
    expected.seed = 0xABC
    expected.rows = 1000
    expected.speed = 0.5
    expected.strategy = .array
    expected.record = "edits"
    expected.isPlain = true
    expected.printsJSON = true
    #expect(
      try Options(parsing: [
        "--json", "--workers=0", "--duration", "2.5", "--seed", "0xabc",
        "--rows", "1000", "--speed=0.5", "--strategy", "array", "--plain", "--record", "edits",
      ]) == expected)
    #expect(try Options(parsing: ["-h"]).showsHelp)
    #expect(try Options(parsing: ["--contention"]).showsContention)
    #expect(try Options(parsing: ["--help"]).showsHelp)
    #expect(try Options(parsing: ["--seed", "18446744073709551615"]).seed == .max)
    #expect(try Options(parsing: ["--save", "folder"]).save == "folder")
    #expect(try Options(parsing: ["--bug", "none"]).bug == Options.Bug.none)
    #expect(try Options(parsing: ["--bug=pull"]).bug == .pull)
    #expect(try Options(parsing: ["--bug", "unlock-first", "--strategy", "array"]).bug == .unlockFirst)
    #expect(try Options(parsing: ["--core", "c", "--bug", "late"]).core == ForeignCore(.c))
    #expect(try Options(parsing: ["--core=rust:a:b"]).core == ForeignCore(.rust, path: "a:b"))
    #expect(try Options(parsing: ["--replay", "edits", "--strategy", "array", "--plain"]).replay == "edits")
  }

  @Test("Every strategy has its name", arguments: RowsStrategy.allCases)
  func strategies(strategy: RowsStrategy) throws {
    #expect(try Options(parsing: ["--strategy", strategy.rawValue]).strategy == strategy)
    #expect(Options.help.contains(strategy.rawValue))
  }

  @Test("Every lock has its name", arguments: RowsLock.allCases)
  func locks(lock: RowsLock) throws {
    #expect(try Options(parsing: ["--lock", lock.rawValue, "--strategy", "delta"]).lock == lock)
    #expect(Options.help.contains(lock.rawValue))
  }

  @Test(
    "A wrong argument is refused by name",
    arguments: [
      (["--fast"], "unknown argument: --fast"),
      (["8"], "unknown argument: 8"),
      (["--plain=1"], "--plain takes no value: --plain=1"),
      (["--workers"], "--workers needs a whole number from 0 to 1000"),
      (["--workers", "-1"], "--workers needs a whole number from 0 to 1000, not '-1'"),
      (["--workers", "1001"], "--workers needs a whole number from 0 to 1000, not '1001'"),
      (["--workers", "many"], "--workers needs a whole number from 0 to 1000, not 'many'"),
      (["--workers", "1", "--workers", "2"], "--workers is given twice"),
      (["--duration", "0"], "--duration needs a number above 0, up to 1000000, not '0'"),
      (["--duration", "nan"], "--duration needs a number above 0, up to 1000000, not 'nan'"),
      (["--speed", "inf"], "--speed needs a number above 0, up to 1000000, not 'inf'"),
      (["--seed", "0xg"], "--seed needs a whole number of 64 bits, not '0xg'"),
      (["--rows", "1000001"], "--rows needs a whole number from 0 to 1000000, not '1000001'"),
      (["--strategy", "list"], "--strategy needs one of array, tree, delta, mainActor, not 'list'"),
      (
        ["--bug", "all"], "--bug needs one of none, unlock-first, pull, unordered, wrong-row, late, not 'all'"
      ),
      (["--bug", "pull", "--strategy", "delta"], "--bug pull needs --strategy array or tree"),
      (["--strategy=mainActor", "--bug=unlock-first"], "--bug unlock-first needs --strategy array or tree"),
      (["--core"], "--core needs one of c, rust, or that with a colon and a file"),
      (["--core", "go"], "--core needs one of c, rust, or that with a colon and a file, not 'go'"),
      (["--core", "rust:"], "--core needs one of c, rust, or that with a colon and a file, not 'rust:'"),
      (["--core", "c", "--strategy", "tree"], "--core and --strategy exclude each other"),
      (["--core", "c", "--bug", "pull"], "--core and --bug pull exclude each other"),
      (["--bug", "late"], "--bug late needs --core"),
      (["--lock", "none"], "--lock needs one of biased, compact, unfair, posix, spin, dispatch, not 'none'"),
      (["--lock", "spin", "--core", "c"], "--lock needs --strategy array, tree or delta"),
      (["--lock", "spin", "--strategy", "mainActor"], "--lock needs --strategy array, tree or delta"),
      (["--lock", "spin", "--bug", "unlock-first"], "--lock and --bug unlock-first exclude each other"),
      (["--save"], "--save needs a folder"),
      (["--save", "a", "--replay", "b"], "--replay and --save exclude each other"),
      (["--record"], "--record needs a file"),
      (["--record", "a", "--bug", "pull"], "--record and --bug pull exclude each other"),
      (["--replay", "--plain"], "--replay needs a file"),
      (["--replay", "a", "--record", "b"], "--replay and --record exclude each other"),
      (["--workers", "1", "--replay", "a"], "--replay and --workers exclude each other"),
      (["--replay", "a", "--contention"], "--replay and --contention exclude each other"),
      (["--json", "--contention"], "--contention and --json exclude each other"),
    ])
  func wrongArguments(arguments: [String], message: String) {
    let error = #expect(throws: UsageError.self) { try Options(parsing: arguments) }
    #expect(error?.description == message)
  }

  @Test("The help names every option")
  func help() {
    for option in [
      "--workers", "--duration", "--seed", "--rows", "--speed", "--strategy", "--core", "--lock", "--bug",
      "--plain", "--save", "--json", "--contention", "--record", "--replay", "--help",
    ] {
      #expect(Options.help.contains("\n  \(option) "))
    }
  }
}
