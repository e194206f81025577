/// The options of a program, parsed from its arguments.
///
/// An extension of this protocol parses the syntax that the programs of this package share: `--name value`
/// and `--name=value`.
package protocol CommandLineOptions: Sendable, Equatable {
  /// Parses arguments.
  ///
  /// - Parameter arguments: The arguments without the program's name.
  init(parsing arguments: [String]) throws(UsageError)

  /// The text that `--help` prints.
  static var help: String { get }
}

extension CommandLineOptions {
  /// Splits "--name=value" into the name, with its dashes, and the value.
  ///
  /// Any other argument is returned as the name, with the value `nil`.
  package static func split(_ argument: String) -> (name: String, value: String?) {
    guard argument.hasPrefix("--"), let equals = argument.firstIndex(of: "=") else { return (argument, nil) }
    return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
  }

  /// Returns the value of the option `name`: the text `attached` after "=" or, if there is no "=", the first
  /// argument of `rest`, which is removed from `rest`.
  ///
  /// Throws the error "`name` needs `kind`" if the value is missing or empty, or if the argument in `rest`
  /// begins with "--".
  package static func value(
    _ kind: String, of name: String, _ attached: String?, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> String {
    if let attached, !attached.isEmpty { return attached }
    guard attached == nil, let next = rest.first, !next.isEmpty, !next.hasPrefix("--") else {
      throw UsageError("\(name) needs \(kind)")
    }
    rest.removeFirst()
    return next
  }
}
