/// An edit of the rows that somebody asks for.
public enum RowCommand: Sendable, Equatable {
  /// Puts a row with this text in.
  case insert(String, RowPosition)
  /// Takes a row out.
  case remove(RowPosition)
  /// Adds this text to the end of a row's.
  case append(String, RowPosition)
}

/// Which row is meant, decided when the edit is made, because the rows may be others by then.
public enum RowPosition: Sendable, Equatable {
  /// The row at this index; an insertion puts the new row there.
  case index(Int)
  /// The row that stands where this number stands among all of 64 bits: a random number takes any row, as
  /// likely as any other.
  case share(UInt64)

  /// An index below `limit`; `nil` where there is none.
  func index(below limit: Int) -> Int? {
    switch self {
    case .index(let index): (0..<limit).contains(index) ? index : nil
    case .share(let share): limit > 0 ? Self.index(below: limit, share: share) : nil
    }
  }

  /// The number below `limit` that stands among those where `share` stands among all of 64 bits.
  static func index(below limit: Int, share: UInt64) -> Int {
    Int(share.multipliedFullWidth(by: UInt64(limit)).high)
  }
}
