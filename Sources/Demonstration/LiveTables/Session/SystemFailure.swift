#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// An error of a system call.
package struct SystemFailure: Error, CustomStringConvertible {
  package let description: String

  init(description: String) {
    self.description = description
  }

  /// Makes an error for a failed operation.
  ///
  /// - Parameters:
  ///   - what: The operation that failed.
  ///   - error: The errno value that gives the reason.
  init(_ what: String, error: Int32 = errno) {
    description = "\(what): \(String(cString: strerror(error)))"
  }
}
