package import Commands

/// The parsed arguments of the command.
package struct Options: CommandLineOptions {
  /// How thoroughly to measure.
  package enum Effort: String, Sendable, CaseIterable, Comparable, Codable {
    case quick, standard, full

    /// Whether `left` has fewer measuring rounds than `right`.
    package static func < (left: Effort, right: Effort) -> Bool {
      left.schedule.rounds < right.schedule.rounds
    }

    package var schedule: Schedule {
      switch self {
      case .quick: .quick
      case .standard: .standard
      case .full: .full
      }
    }
  }

  package var effort = Effort.standard
  package var filter = Filter()
  /// The seed for the random order in which the implementations are measured; `nil` to choose a different
  /// seed for each run.
  package var seed: UInt64?
  /// The file of a report to show instead of measuring; `nil` to measure.
  package var source: String?
  /// The file to write the figures to; `nil` for none.
  package var json: String?
  /// The directory to write the charts to; `nil` for none.
  package var svg: String?
  /// The file to write the HTML page to; `nil` for none.
  package var html: String?
  /// The file of an earlier report to compare with; `nil` for none.
  package var earlier: String?
  package var checks = false
  package var allowsDebug = false
  package var lists = false
  package var showsHelp = false

  package init() {}

  /// Parses arguments; throws a `UsageError` that describes the first mistake.
  ///
  /// - Parameter arguments: The arguments without the program's name.
  package init(parsing arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    var effortArgument: String?
    while let argument = rest.popFirst() {
      let (name, attached) = Self.split(argument)
      switch name {
      case "--filter":
        filter.texts.append(try Self.value("a text", of: name, attached, &rest))
      case "--seed":
        let text = try Self.value("a number", of: name, attached, &rest)
        guard seed == nil else { throw UsageError("--seed is given twice") }
        guard let number = UInt64(text) else { throw UsageError("--seed needs a number, not '\(text)'") }
        seed = number
      case "--json": try Self.set(&json, "a file", of: name, attached, &rest)
      case "--svg": try Self.set(&svg, "a directory", of: name, attached, &rest)
      case "--html": try Self.set(&html, "a file", of: name, attached, &rest)
      case "--from": try Self.set(&source, "a file", of: name, attached, &rest)
      case "--compare": try Self.set(&earlier, "a file", of: name, attached, &rest)
      case _ where attached != nil && Self.flags.contains(name):
        throw UsageError("\(name) takes no value: \(argument)")
      case "--quick", "--full":
        if let effortArgument, effortArgument != name {
          throw UsageError("\(effortArgument) and \(name) exclude each other")
        }
        effortArgument = name
        effort = name == "--quick" ? .quick : .full
      case "--check": checks = true
      case "--allow-debug": allowsDebug = true
      case "--list": lists = true
      case "--help", "-h": showsHelp = true
      default: throw UsageError("unknown argument: \(argument)")
      }
    }
    if source != nil {
      // The following options only affect measurements. With a finished report they would have no effect, so
      // they are usage errors.
      let idle = [
        (effortArgument, effortArgument != nil), ("--filter", !filter.texts.isEmpty), ("--seed", seed != nil),
        ("--list", lists),
      ]
      if case (let name?, _)? = idle.first(where: { $0.1 }) {
        throw UsageError("--from measures nothing: it excludes \(name)")
      }
    }
  }

  private static let flags: Set<String> = [
    "--quick", "--full", "--check", "--allow-debug", "--list", "--help", "-h",
  ]

  /// Sets `option` to the text after "=" (`attached`), or to the next argument, which it removes from `rest`.
  ///
  /// Throws if the option is already set, or if the value is missing.
  private static func set(
    _ option: inout String?, _ kind: String, of name: String, _ attached: String?,
    _ rest: inout ArraySlice<String>
  ) throws(UsageError) {
    guard option == nil else { throw UsageError("\(name) is given twice") }
    option = try value(kind, of: name, attached, &rest)
  }

  /// The text that `--help` prints.
  package static let help = """
    Measures the package's locks against the system's and the standard library's, and a property against a
    stored field, and prints tables.

    Usage: swift run -c release benchmarks [options]

    What to measure
      --filter TEXT   Measure only what has TEXT in its path (see --list); may be given more than once.
      --quick         Few and short rounds, in seconds: to see that everything runs.
      --full          Many and long rounds, and more contests, in a quarter of an hour: for figures that
                      are published.
      --seed NUMBER   Draw the order of the contestants in each round from NUMBER; the tables name the one
                      in use.
      --allow-debug   Measure in a debug build all the same. Everything that is written says so.
      --from FILE     Measure nothing: show what a JSON report has.
      --list          Print the paths of everything that would be measured, and stop.

    What to do with it, besides the tables
      --json FILE     Write every round's figures, and the machine they come from, to FILE.
      --svg DIR       Write a chart for each group of contests to DIR.
      --html FILE     Write one page with charts, tables and what they mean to FILE.
      --check         Let the exit status say whether all targets hold.
      --compare FILE  Say what is slower or faster than in the JSON report FILE, beyond the noise.
      --help          Print this, and stop.

    Ctrl-C, Ctrl-\\, SIGTERM and SIGHUP end the program within two seconds. What is finished is printed, and
    written to files that have nothing in them. So it is where a round does not end within 30 seconds.

    Nothing is judged after fewer than \(ContestReport.leastRounds) rounds, as with --quick, or after rounds that
    other programs disturbed. --compare does not judge figures of threads that meet.

    Exit status, the first that applies:
      128 + n  the signal n ended the program: 130 for Ctrl-C
      2        the arguments are wrong
      1        something failed, or a round did not end
               --check: a target does not hold, is within the spread or was not judged
               --compare: nothing could be judged, or something has no figures
      3        --compare: something is slower
      0        measured
               --check: all targets hold
               --compare: nothing is slower
    """
}
