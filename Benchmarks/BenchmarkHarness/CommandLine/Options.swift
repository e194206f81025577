package import Commands

/// The command's arguments, understood.
package struct Options: CommandLineOptions {
  /// How long to measure.
  package enum Effort: String, Sendable {
    case quick, standard, full

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
  /// Where to write the figures; `nil` for nowhere.
  package var json: String?
  package var allowsDebug = false
  package var lists = false
  package var showsHelp = false

  package init() {}

  /// - Parameter arguments: Without the program's name.
  package init(parsing arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    var effortArgument: String?
    while let argument = rest.popFirst() {
      let (name, attached) = Self.split(argument)
      switch name {
      case "--filter":
        filter.texts.append(try Self.value("a text", of: name, attached, &rest))
      case "--json":
        guard json == nil else { throw UsageError("--json is given twice") }
        json = try Self.value("a file", of: name, attached, &rest)
      case _ where attached != nil && Self.flags.contains(name):
        throw UsageError("\(name) takes no value: \(argument)")
      case "--quick", "--full":
        if let effortArgument, effortArgument != name {
          throw UsageError("\(effortArgument) and \(name) exclude each other")
        }
        effortArgument = name
        effort = name == "--quick" ? .quick : .full
      case "--allow-debug": allowsDebug = true
      case "--list": lists = true
      case "--help", "-h": showsHelp = true
      default: throw UsageError("unknown argument: \(argument)")
      }
    }
  }

  private static let flags: Set<String> = ["--quick", "--full", "--allow-debug", "--list", "--help", "-h"]

  /// What `--help` prints.
  package static let help = """
    Measures the package's locks against the system's and the standard library's, and a property against a stored
    field, and prints tables.

    Usage: swift run -c release benchmarks [options]

      --filter TEXT   Measure only what has TEXT in its path (see --list); may be given more than once.
      --quick         Few and short rounds, in seconds: to see that everything runs.
      --full          Many and long rounds, in minutes: for figures to be published.
      --json FILE     Also write every round's figures, and the machine they come from, to FILE.
      --list          Print the paths of everything that can be measured, and stop.
      --allow-debug   Measure in a debug build all the same. The tables say so.
      --help          Print this, and stop.

    Exit status: 0 measured, 1 something failed, 2 the arguments are wrong.
    """
}
