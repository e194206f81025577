/// A row of the list: a text and an identity.
public struct Row: Sendable, Hashable, Identifiable {
  /// The row's identity; it is used once in each generation (see `RowsViewModel`).
  public let id: Int
  /// The text of the row.
  public internal(set) var text: String
}

/// The kind of a change to a row.
public enum RowChange: String, Sendable, CaseIterable {
  /// The row was inserted.
  case inserted
  /// The row was removed.
  case removed
  /// The row's text was changed.
  case modified
}

/// A request to edit the rows.
public enum RowEdit: Sendable, Equatable {
  /// Inserts a row with this text.
  case insert(String, at: RowPosition)
  /// Removes a row.
  case remove(RowPosition)
  /// Appends this text to a row's text.
  case append(String, to: RowPosition)
}

/// The position of a row, which becomes an index when the edit is made.
///
/// Other edits may change the rows between the request and the edit.
public enum RowPosition: Sendable, Equatable {
  /// The row at this index; an inserted row gets this index.
  case index(Int)
  /// The row at this fraction of the list, in units of 2⁻⁶⁴: `1 << 63` is the middle of the list.
  case share(UInt64)

  /// The index, from 0 to `limit` - 1; `nil` if it is out of range.
  func index(below limit: Int) -> Int? {
    switch self {
    case .index(let index): (0..<limit).contains(index) ? index : nil
    case .share(let share): limit > 0 ? Int(share.multipliedFullWidth(by: UInt64(limit)).high) : nil
    }
  }
}

/// The answer to a request to edit the rows.
public enum RowEditResult: Sendable, Equatable {
  /// The edit was made; with the strategy `mainActor`, it waits for the main actor.
  case accepted
  /// The position does not exist, so nothing was changed.
  case noSuchRow
  /// As many edits as `RowsConfiguration.backlogLimit` permits wait for the main actor; nothing was changed.
  case noRoom
  /// The list was started again, or has ended; nothing was changed.
  case ended
}

/// One change of the rows, as an observer gets it.
public struct RowNotification: Sendable {
  /// The kind of the change.
  public let change: RowChange
  /// The index of the row after the change; for a removed row, its index before the change.
  public let index: Int
  /// The inserted or modified row, or the removed one.
  public let row: Row
  /// All rows after this change and before the next.
  public let rows: RowTree<Row>
  /// The number of the edit in its generation, from 1 and without gaps.
  public let number: Int
  /// The number of the generation (see `RowsViewModel`).
  public let generation: Int
}
