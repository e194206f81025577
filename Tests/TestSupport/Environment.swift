#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// The variables that set a test run up.
enum Environment {
  /// The variable's text; `nil` where it is not set or empty.
  static subscript(name: String) -> String? {
    guard let text = getenv(name), text.pointee != 0 else { return nil }
    return String(cString: text)
  }
}
