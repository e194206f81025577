/// What the arguments of a program say.
///
/// The extension has the syntax that the programs of this package share: `--name value` and `--name=value`.
package protocol CommandLineOptions: Sendable, Equatable {
  /// - Parameter arguments: Without the program's name.
  init(parsing arguments: [String]) throws(UsageError)

  /// What `--help` prints.
  static var help: String { get }
}

extension CommandLineOptions {
  /// "--name=value" in its two parts.
  package static func split(_ argument: String) -> (name: String, value: String?) {
    guard argument.hasPrefix("--"), let equals = argument.firstIndex(of: "=") else { return (argument, nil) }
    return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
  }

  /// An argument's value: behind its "=" or the next argument, unless that is an option itself.
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
