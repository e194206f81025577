/// Why a file can't be read or written, or what is wrong with it.
package struct FileFailure: Error, Equatable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
