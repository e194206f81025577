/// The kind of change to a row.
public enum RowChange: String, Sendable, CaseIterable {
  /// The row was inserted.
  case inserted
  /// The row was removed.
  case removed
  /// The row's text was changed.
  case modified
}

/// The number of changes of each kind.
public struct RowCounts: Sendable, Equatable {
  /// The number of inserted rows.
  public internal(set) var inserted = 0
  /// The number of removed rows.
  public internal(set) var removed = 0
  /// The number of modified rows.
  public internal(set) var modified = 0

  /// The number of changes of all kinds.
  public var total: Int { inserted + removed + modified }

  mutating func count(_ change: RowChange) {
    switch change {
    case .inserted: inserted += 1
    case .removed: removed += 1
    case .modified: modified += 1
    }
  }
}
