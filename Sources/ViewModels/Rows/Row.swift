/// A row of the list: a text and an identity.
public struct Row: Sendable, Hashable, Identifiable {
  /// The row's identity, unique within its model.
  ///
  /// Identities increase with each insertion, and are never reused.
  public let id: UInt64
  /// The text of the row.
  public internal(set) var text: String

  package init(id: UInt64, text: String) {
    self.id = id
    self.text = text
  }

  /// Appends to the row's text.
  ///
  /// - Returns: The changed row.
  mutating func append(_ text: String) -> Row {
    self.text += text
    return self
  }
}
