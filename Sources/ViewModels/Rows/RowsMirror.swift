/// Rows of one's own, kept by applying what is announced, to check that the announcements are right.
///
/// The table rule: the rows before a change, with what was inserted and without what was removed, are the
/// rows after it, and the row at the index is the one that was announced.
public struct RowsMirror: Sendable {
  private var rows: RowTree<Row>
  private var shownCount: Int
  private var lastSequence: UInt64 = 0
  /// How often the table rule was broken.
  public private(set) var violations = 0
  /// How often numbers of edits were left out, or came in another order than they were made.
  public private(set) var sequenceGaps = 0

  /// Makes a mirror.
  ///
  /// - Parameter rows: The rows before the first change.
  public init(_ rows: RowsSnapshot) {
    self.rows = rows.tree
    shownCount = rows.count
  }

  /// The number of rows.
  public var count: Int { rows.count }

  /// The number that a snapshot with these rows has.
  ///
  /// - Complexity: O(*n*) in the length of all texts.
  public var fingerprint: UInt64 { RowsSnapshot(storage: .tree(rows), nextID: 0).fingerprint }

  /// A new generation begins.
  ///
  /// - Parameter rows: The rows that it begins with.
  public mutating func restart(_ rows: RowsSnapshot) {
    self.rows = rows.tree
    shownCount = rows.count
    lastSequence = 0
  }

  /// Applies a change and looks whether it is as announced.
  ///
  /// - Parameter notification: The change.
  /// - Returns: Whether it is.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func apply(_ notification: RowNotification) -> Bool {
    follow(notification.sequences)
    let isRight = obeysTableRule(notification)
    if !isRight { violations += 1 }
    shownCount = notification.rows.count
    return isRight
  }

  private mutating func obeysTableRule(_ notification: RowNotification) -> Bool {
    let (index, row, shown) = (notification.index, notification.row, notification.rows)
    switch notification.change {
    case .inserted:
      guard index <= rows.count else { return false }
      rows.insert(row, at: index)
      return shown.count == shownCount + 1 && index < shown.count && shown[index] == row
    case .removed:
      guard index < rows.count else { return false }
      let removed = rows.remove(at: index)
      return shown.count == shownCount - 1 && removed == row
    case .modified:
      guard index < rows.count else { return false }
      let old = rows.replace(at: index, with: row)
      return shown.count == shownCount && index < shown.count && shown[index] == row && old.id == row.id
    }
  }

  /// Applies a batch and looks whether the rows are those that it announces.
  ///
  /// - Parameter batch: The changes.
  /// - Returns: Whether they are; only their number is compared.
  /// - Complexity: O(*k* log *n*) for *k* rows that it concerns.
  @discardableResult
  public mutating func apply(_ batch: RowBatch) -> Bool {
    follow(batch.sequences)
    let isRight = batch.before.count == shownCount && rows.count == shownCount
    if isRight {
      batch.replay(on: &rows) { _, _, _, _ in }
    } else {
      violations += 1
      rows = batch.after.tree
    }
    shownCount = batch.after.count
    return isRight
  }

  private mutating func follow(_ sequences: ClosedRange<UInt64>) {
    if sequences.lowerBound != lastSequence + 1 { sequenceGaps += 1 }
    lastSequence = sequences.upperBound
  }
}
