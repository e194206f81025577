/// A problem with arguments, a file or its contents, in one line.
package struct Failure: Error, Equatable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}

/// The parsed arguments of the command.
package struct Options: Sendable, Equatable {
  package private(set) var effort = Effort.standard
  /// The texts of which one must occur in the path of a contestant; empty for all contestants.
  package private(set) var filter: [String] = []
  /// The files and directories that the options `--from`, `--json`, `--html`, `--svg` and `--compare` name.
  package private(set) var paths: [String: String] = [:]
  /// The options without a value.
  package private(set) var flags: Set<String> = []

  /// Parses arguments; throws a `Failure` that describes the first mistake.
  ///
  /// - Parameter arguments: The arguments without the program's name.
  package init(parsing arguments: [String]) throws(Failure) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      /// Returns the text after "=", or the next argument.
      func value(_ kind: String) throws(Failure) -> String {
        let isAttached = parts.count == 2
        guard let value = isAttached ? String(parts[1]) : rest.first, !value.isEmpty,
          isAttached || !value.hasPrefix("--")
        else { throw Failure("\(name) needs \(kind)") }
        if !isAttached { rest.removeFirst() }
        return value
      }
      switch name {
      case "--filter": filter.append(try value("a text"))
      case "--from", "--json", "--html", "--svg", "--compare":
        let path = try value(name == "--svg" ? "a directory" : "a file")
        guard paths.updateValue(path, forKey: name) == nil else { throw Failure("\(name) is given twice") }
      case "--quick", "--full", "--check", "--allow-debug", "--list", "--help":
        guard parts.count == 1 else { throw Failure("\(name) takes no value: \(argument)") }
        flags.insert(name)
      default: throw Failure("unknown argument: \(argument)")
      }
    }
    if flags.isSuperset(of: ["--quick", "--full"]) { throw Failure("--quick and --full exclude each other") }
    effort = flags.contains("--quick") ? .quick : flags.contains("--full") ? .full : .standard
    if paths["--from"] != nil,
      let idle = ["--quick", "--full", "--list"].first(where: flags.contains)
        ?? (filter.isEmpty ? nil : "--filter")
    {
      throw Failure("--from measures nothing: it excludes \(idle)")
    }
  }

  /// The text that `--help` prints.
  package static let help = """
    Usage: swift run -c release --package-path Benchmarks benchmarks [options]

      --filter TEXT   Measure only what has TEXT in its path (see --list); may be given more than once.
      --quick         Few and short rounds, in seconds: to see that everything runs.
      --full          Many and long rounds, and more contests, in a quarter of an hour.
      --allow-debug   Measure in a debug build all the same. Everything that is written says so.
      --list          Print the paths of everything that would be measured, and stop.
      --from FILE     Measure nothing: show what a JSON report has.
      --json FILE     Write every round's figures, and the machine they come from, to FILE.
      --html FILE     Write one page with charts and tables to FILE.
      --svg DIR       Write the charts to the directory DIR.
      --check         Let the exit status say whether all targets hold.
      --compare FILE  Say what is slower or faster than in the JSON report FILE, beyond the noise.

    Ctrl-C, Ctrl-\\, SIGTERM and SIGHUP end the program within two seconds. What is finished is printed, and
    written to files that have nothing in them. A round that does not end within 30 seconds ends the program likewise.
    Benchmarks/README.md explains the figures and the exit status.
    """
}
