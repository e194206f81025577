internal import RowTrees

/// A copy of the rows that applies notifications and checks them.
///
/// The table rule: the rows before a change, plus the inserted row and minus the removed one, are the rows
/// after it. A notification's row is at the notification's index: before the change if it is removed,
/// otherwise after it.
public struct RowsMirror: Sendable {
  private var rows: RowTree<Row>
  private var shownCount: Int
  private var lastSequence: UInt64 = 0
  /// The number of notifications and batches that were not consistent with the rows before them.
  public private(set) var violations = 0
  /// The number of times that edit numbers were skipped or out of order.
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

  /// The hash of the mirror's rows, as `RowsSnapshot.fingerprint` computes it.
  ///
  /// - Complexity: O(*n*) in the length of all texts.
  public var fingerprint: UInt64 { RowsSnapshot(storage: .tree(rows), nextID: 0).fingerprint }

  /// Begins a generation (see `RowsViewModel`), with other rows.
  ///
  /// - Parameter rows: The rows with which the generation begins.
  public mutating func restart(_ rows: RowsSnapshot) {
    self.rows = rows.tree
    shownCount = rows.count
    lastSequence = 0
  }

  /// Applies the change of a notification, and checks it against the rows that the notification carries.
  ///
  /// - Parameter notification: The notification of the next change.
  /// - Returns: Whether the numbers of rows before and after the change, and the changed row, fit the change.
  ///   The other rows are not compared.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func apply(_ notification: RowNotification) -> Bool {
    follow(notification.sequences)
    let isRight = changeRows(as: notification)
    if !isRight { violations += 1 }
    shownCount = notification.rows.count
    return isRight
  }

  /// Applies a notification's change to `rows`, and returns whether the notification is consistent.
  ///
  /// A notification is consistent if the numbers of rows before and after the change, and the changed row,
  /// fit the change. The other rows are not compared.
  private mutating func changeRows(as notification: RowNotification) -> Bool {
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

  /// Applies a batch, and checks the number of rows in `batch.before`.
  ///
  /// It must equal the number of rows in this mirror, and that in the snapshot after the previous change.
  /// Otherwise the mirror counts a violation and copies its rows from `batch.after`.
  ///
  /// - Parameter batch: The next batch.
  /// - Returns: Whether the three numbers of rows were equal. The rows themselves are not compared.
  /// - Complexity: O(*k* log *n*) for *k* rows of the batch.
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
