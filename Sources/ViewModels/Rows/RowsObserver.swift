/// An observer of a `RowsViewModel`, such as a table.
///
/// The functions do nothing by default. They are called on the main actor, one after another, in the order of
/// the edits.
@MainActor
public protocol RowsObserver: AnyObject {
  /// A row was inserted.
  func rowInserted(_ notification: RowNotification)

  /// A row was removed.
  func rowRemoved(_ notification: RowNotification)

  /// The text of a row was changed.
  func rowModified(_ notification: RowNotification)

  /// The list was started again, with other rows.
  ///
  /// - Parameters:
  ///   - rows: The new rows.
  ///   - generation: The number of the generation that begins (see `RowsViewModel`).
  func rowsRestarted(_ rows: RowTree<Row>, generation: Int)
}

extension RowsObserver {
  /// Does nothing.
  public func rowInserted(_ notification: RowNotification) {}
  /// Does nothing.
  public func rowRemoved(_ notification: RowNotification) {}
  /// Does nothing.
  public func rowModified(_ notification: RowNotification) {}
  /// Does nothing.
  public func rowsRestarted(_ rows: RowTree<Row>, generation: Int) {}
}
