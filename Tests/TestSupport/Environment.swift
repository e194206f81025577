internal import Foundation

/// The environment variables of a test run.
enum Environment {
  /// The text of a variable; `nil` if it is unset or empty.
  static subscript(name: String) -> String? {
    guard let text = getenv(name), text.pointee != 0 else { return nil }
    return String(cString: text)
  }
}
