/// An error of the compiler: its line and its message.
struct Diagnostic: Hashable, Comparable {
  var line: Int
  var message: String

  static func < (one: Diagnostic, other: Diagnostic) -> Bool {
    (one.line, one.message) < (other.line, other.message)
  }
}
