/// The options of the program, from its arguments.
struct Options: Equatable {
  var workers = 8
  var speed = 1.0
  var rows = 20
  var strategy = Strategy.snapshots
  var lock = Lock.biased
  /// `nil` to run until the user quits.
  var duration: Duration?
  var isPlain = false
  var wantsHelp = false

  /// A problem with the arguments, in one line that names the argument.
  struct Mistake: Error, Equatable {
    let text: String
  }

  init(parsing arguments: [String]) throws(Mistake) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
        String.init)
      let name = parts[0]
      func value() throws(Mistake) -> String {
        guard let value = parts.count > 1 ? parts[1] : rest.popFirst(), !value.isEmpty else {
          throw Mistake(text: "\(name) needs a value")
        }
        return value
      }
      switch name {
      case "--workers": workers = try Self.number(name, value(), in: 0...1_000)
      case "--rows": rows = try Self.number(name, value(), in: 0...1_000_000)
      case "--speed": speed = try Self.positive(name, value())
      case "--duration": duration = .seconds(try Self.positive(name, value()))
      case "--strategy": strategy = try Self.choice(name, value())
      case "--lock": lock = try Self.choice(name, value())
      case "--plain" where parts.count == 1: isPlain = true
      case "--help" where parts.count == 1, "-h": wantsHelp = true
      default: throw Mistake(text: "unknown argument '\(argument)'")
      }
    }
  }

  private static func number(_ name: String, _ text: String, in range: ClosedRange<Int>) throws(Mistake)
    -> Int
  {
    if let number = Int(text), range.contains(number) { return number }
    throw Mistake(
      text: "\(name) needs a whole number from \(range.lowerBound) to \(range.upperBound), not '\(text)'")
  }

  private static func positive(_ name: String, _ text: String) throws(Mistake) -> Double {
    if let number = Double(text), number > 0, number <= 1e9 { return number }
    throw Mistake(text: "\(name) needs a positive number up to 1e9, not '\(text)'")
  }

  private static func choice<Choice: CaseIterable & RawRepresentable<String>>(
    _ name: String, _ text: String
  ) throws(Mistake) -> Choice {
    if let choice = Choice(rawValue: text) { return choice }
    let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
    throw Mistake(text: "\(name) needs one of \(names), not '\(text)'")
  }

  static let help = """
    livetable: a table that threads edit, live in the terminal

    Usage: livetable [OPTIONS]

      --workers N      The number of threads (8).
      --speed X        A thread sleeps 1 to 4 seconds divided by X between two edits (1).
      --rows N         The number of rows at first (20).
      --strategy NAME  \(Strategy.allCases.map(\.rawValue).joined(separator: " or ")) (snapshots).
      --lock NAME      The lock of the rows with the strategy snapshots:
                       \(Lock.allCases.map(\.rawValue).joined(separator: ", ")) (biased).
      --duration S     End after S seconds.
      --plain          Print a line each second, as it does where the output is no terminal.
      --help           Print this text.

    Keys: r restart with another number of threads, s another strategy, l another lock,
    p pause and go on, up and down, page up and page down, q quit. At the end, an audit is
    printed. The exit status is 0 if the audit is clean, 1 if not, and 2 for wrong arguments.
    """
}
