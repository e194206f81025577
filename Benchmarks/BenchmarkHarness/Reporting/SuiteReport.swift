/// What a report says of a suite.
package struct SuiteReport: Sendable, Equatable {
  package let name: String
  /// The question.
  package let about: String
  /// What a reader has to know to understand the figures.
  package let reading: String

  package init(name: String, about: String, reading: String) {
    self.name = name
    self.about = about
    self.reading = reading
  }
}
