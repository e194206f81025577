/// A row of the list: a text, and what tells the row from all others.
public struct Row: Sendable, Hashable, Identifiable {
  /// What tells this row from others of its model: counted up with each insertion, never used again.
  public let id: UInt64
  /// What the row shows.
  public internal(set) var text: String

  init(id: UInt64, text: String) {
    self.id = id
    self.text = text
  }

  /// Adds a text to the end of the row's.
  ///
  /// - Returns: The row as it is then.
  mutating func append(_ text: String) -> Row {
    self.text += text
    return self
  }
}
