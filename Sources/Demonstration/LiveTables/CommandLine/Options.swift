package import Commands
package import ViewModels

/// The parsed arguments of the command.
package struct Options: CommandLineOptions {
  /// The number of workers; `nil` if not given.
  package var workers: Int?
  /// The duration of the run; `nil` if not given.
  package var duration: Duration?
  /// The seed of the workers' random choices; `nil` for a different one in each run.
  package var seed: UInt64?
  /// The initial number of rows; `nil` if not given.
  package var rows: Int?
  /// The speed of the workers; `nil` if not given.
  ///
  /// Between two edits, a worker sleeps for 1 to 4 seconds divided by the speed.
  package var speed: Double?
  /// How edits get to the table.
  package var strategy = RowsStrategy.tree
  /// The code in another language that owns the rows, called the core; `nil` if the model owns the rows.
  package var core: ForeignCore?
  /// The kind of lock that guards the rows; `nil` if not given.
  package var lock: RowsLock?
  package var bug = Bug.none
  /// The path of the file to which the edits are recorded; `nil` to record nothing.
  package var record: String?
  /// The path of the folder in which rows and uploads are saved; `nil` to save nothing.
  package var save: String?
  /// The path of the file with the recorded edits to replay; `nil` to run workers.
  package var replay: String?
  package var isPlain = false
  package var printsJSON = false
  /// Whether to record a profile of contention, and to show it.
  package var showsContention = false
  package var showsHelp = false

  /// A deliberate bug to demonstrate.
  ///
  /// `unlockFirst` and `pull` are bugs of the model. `unordered`, `wrongRow` and `late` are bugs of a core in
  /// another language.
  package enum Bug: String, Sendable, CaseIterable {
    case none
    case unlockFirst = "unlock-first"
    case pull
    case unordered
    case wrongRow = "wrong-row"
    case late

    /// Whether this is a bug of a core, and not of the model.
    var isOfCore: Bool { [.unordered, .wrongRow, .late].contains(self) }
  }

  package static let mostWorkers = 1_000
  package static let mostRows = 1_000_000
  package static let greatestSpeed = 1_000_000.0

  package init() {}

  package init(parsing arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    var given: Set<String> = []
    while let argument = rest.popFirst() {
      let (name, attached) = Self.split(argument)
      if Self.names.contains(name), !given.insert(name).inserted {
        throw UsageError("\(name) is given twice")
      }
      if Self.flags.contains(name), attached != nil {
        throw UsageError("\(name) takes no value: \(argument)")
      }
      switch name {
      case "--workers":
        workers = try Self.count(upTo: Self.mostWorkers, of: name, attached, &rest)
      case "--duration":
        duration = .seconds(try Self.number(upTo: 1_000_000, of: name, attached, &rest))
      case "--seed":
        seed = try Self.seed(of: name, attached, &rest)
      case "--rows":
        rows = try Self.count(upTo: Self.mostRows, of: name, attached, &rest)
      case "--speed":
        speed = try Self.number(upTo: Self.greatestSpeed, of: name, attached, &rest)
      case "--strategy":
        strategy = try Self.choice(of: name, attached, &rest)
      case "--core":
        core = try Self.core(of: name, attached, &rest)
      case "--bug":
        bug = try Self.choice(of: name, attached, &rest)
      case "--lock":
        lock = try Self.choice(of: name, attached, &rest)
      case "--save":
        save = try Self.value("a folder", of: name, attached, &rest)
      case "--record":
        record = try Self.value("a file", of: name, attached, &rest)
      case "--replay":
        replay = try Self.value("a file", of: name, attached, &rest)
      case "--plain": isPlain = true
      case "--json": printsJSON = true
      case "--contention": showsContention = true
      case "--help", "-h": showsHelp = true
      default: throw UsageError("unknown argument: \(argument)")
      }
    }
    if given.contains("--replay") {
      // The options that `--replay` excludes. The recording determines the workers, the rows and the edits.
      // It is replayed without pauses, and neither recorded nor saved again.
      let excluded = [
        "--workers", "--duration", "--seed", "--rows", "--speed", "--bug", "--record", "--save",
      ]
      if let other = excluded.first(where: given.contains) {
        throw UsageError("--replay and \(other) exclude each other")
      }
    }
    if showsContention, replay != nil { throw UsageError("--replay and --contention exclude each other") }
    if showsContention, printsJSON { throw UsageError("--contention and --json exclude each other") }
    if bug != .none, record != nil {
      throw UsageError("--record and --bug \(bug.rawValue) exclude each other")
    }
    if core != nil, given.contains("--strategy") {
      throw UsageError("--core and --strategy exclude each other")
    }
    if lock != nil, core != nil || strategy == .mainActor {
      throw UsageError("--lock needs --strategy array, tree or delta")
    }
    if lock != nil, bug == .unlockFirst {
      throw UsageError("--lock and --bug \(bug.rawValue) exclude each other")
    }
    if bug.isOfCore, core == nil { throw UsageError("--bug \(bug.rawValue) needs --core") }
    if core != nil, bug != .none, !bug.isOfCore {
      throw UsageError("--core and --bug \(bug.rawValue) exclude each other")
    }
    if bug != .none, !bug.isOfCore, ![.array, .tree].contains(strategy) {
      throw UsageError("--bug \(bug.rawValue) needs --strategy array or tree")
    }
  }

  private static let flags: Set<String> = ["--plain", "--json", "--contention", "--help", "-h"]
  private static let names: Set<String> = [
    "--workers", "--duration", "--seed", "--rows", "--speed", "--strategy", "--core", "--lock", "--bug",
    "--record", "--replay", "--save",
  ]

  // MARK: Values

  /// Parses a whole number.
  private static func count(
    upTo limit: Int, of name: String, _ attached: String?, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> Int {
    let kind = "a whole number from 0 to \(limit)"
    let text = try value(kind, of: name, attached, &rest)
    guard let count = Int(text), (0...limit).contains(count) else {
      throw UsageError("\(name) needs \(kind), not '\(text)'")
    }
    return count
  }

  /// Parses a number greater than 0.
  private static func number(
    upTo limit: Double, of name: String, _ attached: String?, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> Double {
    let kind = "a number above 0, up to \(Int(limit))"
    let text = try value(kind, of: name, attached, &rest)
    guard let number = Double(text), number > 0, number <= limit else {
      throw UsageError("\(name) needs \(kind), not '\(text)'")
    }
    return number
  }

  /// Parses an unsigned 64-bit number, which is decimal, or hexadecimal after "0x".
  private static func seed(
    of name: String, _ attached: String?, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> UInt64 {
    let kind = "a whole number of 64 bits"
    let text = try value(kind, of: name, attached, &rest)
    guard let seed = text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text) else {
      throw UsageError("\(name) needs \(kind), not '\(text)'")
    }
    return seed
  }

  /// Parses `LANGUAGE` or `LANGUAGE:FILE`, where the file is the dynamic library of a core.
  private static func core(
    of name: String, _ attached: String?, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> ForeignCore {
    let languages = ForeignCore.Language.allCases.map(\.rawValue).joined(separator: ", ")
    let kind = "one of \(languages), or that with a colon and a file"
    let text = try value(kind, of: name, attached, &rest)
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    guard let language = parts.first.flatMap(ForeignCore.Language.init), text.last != ":" else {
      throw UsageError("\(name) needs \(kind), not '\(text)'")
    }
    return ForeignCore(language, path: parts.count > 1 ? parts[1] : nil)
  }

  /// Returns the case of `Choice` that the option's value names; throws if there is none.
  private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
    of name: String, _ attached: String?, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> Choice {
    let kind = "one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))"
    let text = try value(kind, of: name, attached, &rest)
    guard let choice = Choice(rawValue: text) else {
      throw UsageError("\(name) needs \(kind), not '\(text)'")
    }
    return choice
  }

  // MARK: Help

  package static let help = """
    Shows a table in the terminal that background threads edit, with a form below it, and ends with an audit
    of all that was edited and shown.

    Usage: swift run -c release livetable [options]

      --workers N         How many threads edit the table (8).
      --duration SECONDS  When to end (after 10 s where there are no keys, otherwise with the key q).
      --seed N            Repeat a run's choices; the audit prints them.
      --rows N            How many rows there are at first (16).
      --speed X           How many times faster the workers are than 1 to 4 s for an edit (1).
      --strategy NAME     How rows get to the table: array, tree, delta or mainActor (tree).
      --core NAME         Let a core in another language own the rows: c or rust. With a colon and a file
                          after the name, the core of that dynamic library.
      --lock NAME         The rows' lock: biased, compact, unfair, posix, spin or dispatch (biased).
      --bug NAME          Run a model that is wrong, to see it found: none, unlock-first or pull, and with
                          --core unordered, wrong-row or late (none).
      --plain             Print lines, as is done where there is no terminal.
      --json              Print the audit as JSON, and nothing else on standard output.
      --contention        Show which locks the threads wait for, and report on them at the end.
      --record FILE       Write every edit to FILE.
      --save FOLDER       Save the rows in FOLDER a moment after they change, and a line for each upload.
      --replay FILE       Make the edits of FILE again, and compare the rows at the end.
      --help              Print this, and stop.

    Keys: r restart with another number of workers, n change the name, u upload, + and - points, / search for
    rows, m move the first visible row to the shelf, b move one back, arrows and pages scroll, f follow the
    changes, q quit.

    Exit status: 0 the audit is clean, 1 it is not or something failed, 2 the arguments are wrong.
    """
}
