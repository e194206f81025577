/// Checks the notifications of a `RowsViewModel` as a table depends on them.
///
/// The **table rule**: the rows before, plus the inserted and minus the removed row, are the rows after, and
/// the row at the index is the one in the notification.
public struct TableRule: Sendable {
  /// The rows that follow from the notifications.
  public private(set) var rows: RowTree<Row>
  /// The number of notifications that broke the rule, or whose number is not the next.
  public private(set) var violations = 0
  private var number = 0
  private var shownCount: Int

  /// Creates a check.
  ///
  /// - Parameter rows: The rows with which a generation begins (see `RowsViewModel`).
  public init(_ rows: RowTree<Row>) {
    self.rows = rows
    shownCount = rows.count
  }

  /// Applies the change of a notification to `rows`, and compares it with the rows of the notification.
  ///
  /// - Parameter notification: The next notification.
  /// - Returns: Whether it keeps the rule. Of the rows, their number and the changed one are compared.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func check(_ notification: RowNotification) -> Bool {
    number += 1
    let isKept = number == notification.number && changeRows(as: notification)
    if !isKept { violations += 1 }
    number = notification.number
    shownCount = notification.rows.count
    return isKept
  }

  private mutating func changeRows(as notification: RowNotification) -> Bool {
    let (index, row, shown) = (notification.index, notification.row, notification.rows)
    guard index <= rows.count, notification.change == .inserted || index < rows.count else { return false }
    switch notification.change {
    case .inserted:
      rows.insert(row, at: index)
      return shown.count == shownCount + 1 && index < shown.count && shown[index] == row
    case .removed:
      return rows.remove(at: index) == row && shown.count == shownCount - 1
    case .modified:
      defer { rows[index] = row }
      return rows[index].id == row.id && shown.count == shownCount && index < shown.count
        && shown[index] == row
    }
  }
}
