/// A property that some measured implementations of a `Contest` share, such as being inlined.
///
/// Tables and charts list these implementations under the title of the category.
package struct Category: Sendable, Equatable, Codable {
  /// One or two words that charts put beside the name of a measured implementation.
  package let title: String
  /// A phrase that describes the implementations of the category, such as "a lock around an unchecked field".
  package let about: String

  package init(_ title: String, _ about: String) {
    self.title = title
    self.about = about
  }

  /// The line above the implementations of the category in a table or chart.
  var heading: String { "\(title): \(about)" }
}
