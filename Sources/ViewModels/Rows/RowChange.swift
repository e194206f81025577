/// What happened to a row.
public enum RowChange: String, Sendable, CaseIterable {
  /// It is new.
  case inserted
  /// It is gone.
  case removed
  /// Its text is another one.
  case modified
}

/// How many changes there were of each kind.
public struct RowCounts: Sendable, Equatable {
  /// Rows that were put in.
  public internal(set) var inserted = 0
  /// Rows that were taken out.
  public internal(set) var removed = 0
  /// Rows whose text was changed.
  public internal(set) var modified = 0

  /// Of all kinds.
  public var total: Int { inserted + removed + modified }

  mutating func count(_ change: RowChange) {
    switch change {
    case .inserted: inserted += 1
    case .removed: removed += 1
    case .modified: modified += 1
    }
  }
}
