/// A number in which the contests of a group differ, such as the accesses in a frame.
package struct Parameter: Sendable, Equatable, Codable {
  /// The name of the number, for the title of an axis.
  package let name: String
  package let value: Double

  package init(_ name: String, _ value: Double) {
    self.name = name
    self.value = value
  }
}
