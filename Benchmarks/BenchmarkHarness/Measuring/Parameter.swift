/// A number that differs between the columns of a results table, such as the reads in a display frame.
package struct Parameter: Sendable, Equatable, Codable {
  /// The name of the number, for the title of an axis.
  package let name: String
  package let value: Double

  package init(_ name: String, _ value: Double) {
    self.name = name
    self.value = value
  }
}
