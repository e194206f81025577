/// Why a file can't be read or written.
package struct FileFailure: Error, Equatable, CustomStringConvertible {
  package let description: String

  init(description: String) {
    self.description = description
  }
}
