/// An error of the compiler, where it is and what it says.
struct Diagnostic: Hashable, Comparable {
  var line: Int
  var message: String

  static func < (one: Diagnostic, other: Diagnostic) -> Bool {
    (one.line, one.message) < (other.line, other.message)
  }
}
