/// An error while reading or writing a file, or in its contents.
package struct FileFailure: Error, Equatable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
