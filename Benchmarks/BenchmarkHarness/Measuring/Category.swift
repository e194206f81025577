/// A property that some contestants of a contest share, such as being inlined.
///
/// Tables and charts list them under its title.
package struct Category: Sendable, Equatable, Codable {
  /// In a word or two: charts put it beside a contestant's name.
  package let title: String
  /// The costs that the figures of these contestants contain: a sentence without its full stop.
  package let about: String

  package init(_ title: String, _ about: String) {
    self.title = title
    self.about = about
  }

  /// A line over the contestants.
  var heading: String { "\(title): \(about)" }
}
