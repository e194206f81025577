import ViewModels

/// The table: observes the model, checks each notification, and marks changed rows.
@MainActor
final class Table: RowsObserver {
  private(set) var rows: RowTree<Row>
  /// The changes since the last restart.
  private(set) var counts: [RowChange: Int] = [:]
  private(set) var audit = Audit()

  private var rule: TableRule
  private var marks: [Row.ID: (change: RowChange, tick: Int)] = [:]
  private var tick = 0

  init(_ rows: RowTree<Row>) {
    self.rows = rows
    rule = TableRule(rows)
  }

  /// A recent change of a row; `nil` if there was none within 20 ticks.
  func mark(of row: Row) -> RowChange? {
    guard let mark = marks[row.id], tick - mark.tick < 20 else { return nil }
    return mark.change
  }

  /// Advances the clock of the marks by one.
  func pass() {
    tick += 1
    if tick.isMultiple(of: 20) { marks = marks.filter { tick - $0.value.tick < 20 } }
  }

  private func note(_ notification: RowNotification) {
    rule.check(notification)
    rows = notification.rows
    counts[notification.change, default: 0] += 1
    marks[notification.row.id] = (notification.change, tick)
  }

  func rowInserted(_ notification: RowNotification) { note(notification) }
  func rowRemoved(_ notification: RowNotification) { note(notification) }
  func rowModified(_ notification: RowNotification) { note(notification) }

  func rowsRestarted(_ rows: RowTree<Row>, generation: Int) {
    endGeneration()
    self.rows = rows
    rule = TableRule(rows)
    (counts, marks) = ([:], [:])
  }

  /// Adds the current generation to the audit.
  func endGeneration() {
    audit.generations += 1
    audit.changes += counts.values.reduce(0, +)
    audit.violations += rule.violations
    audit.agrees = audit.agrees && rule.rows == rows
  }
}
