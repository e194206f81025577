#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// Something that the system has refused.
package struct SystemFailure: Error, CustomStringConvertible {
  package let description: String

  /// - Parameter what: What could not be done; the reason is taken from `errno`.
  init(_ what: String, error: Int32 = errno) {
    description = "\(what): \(String(cString: strerror(error)))"
  }
}
