/// A request for an edit of the rows.
public enum RowCommand: Sendable, Equatable {
  /// Inserts a row with this text.
  case insert(String, RowPosition)
  /// Removes a row.
  case remove(RowPosition)
  /// Appends this text to a row's text.
  case append(String, RowPosition)
}

/// The position of the row that a command edits.
///
/// The position is resolved when the edit is made, because other edits may have changed the rows since the
/// command was made.
public enum RowPosition: Sendable, Equatable {
  /// The row at this index; an inserted row gets this index.
  case index(Int)
  /// The row at this fraction of the list, in units of 2⁻⁶⁴: `1 << 63` is the middle of the list.
  ///
  /// With a uniformly random fraction, all rows are equally likely.
  case share(UInt64)

  /// Resolves the position to an index from 0 to `limit` - 1; `nil` if it is out of range.
  func index(below limit: Int) -> Int? {
    switch self {
    case .index(let index): (0..<limit).contains(index) ? index : nil
    case .share(let share): limit > 0 ? Self.index(below: limit, share: share) : nil
    }
  }

  /// The index at the fraction `share` · 2⁻⁶⁴ of a list of `limit` rows, rounded down.
  static func index(below limit: Int, share: UInt64) -> Int {
    Int(share.multipliedFullWidth(by: UInt64(limit)).high)
  }
}
