/// A property that some contestants of a contest share, such as being inlined.
///
/// Tables and charts list these contestants under the title of the category.
package struct Category: Sendable, Equatable, Codable {
  /// One or two words that charts put beside a contestant's name.
  package let title: String
  /// A phrase that describes the contestants of the category, such as "a lock around an unchecked field".
  package let about: String

  package init(_ title: String, _ about: String) {
    self.title = title
    self.about = about
  }

  /// The line above the contestants of the category in a table or chart.
  var heading: String { "\(title): \(about)" }
}
