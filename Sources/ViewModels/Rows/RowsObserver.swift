/// An observer that shows the rows of a `RowsViewModel`.
///
/// The functions do nothing by default. They are called on the main actor, one after another, in the order of
/// the edits. The model holds its observer weakly.
@MainActor
public protocol RowsObserver: AnyObject {
  /// A row was inserted.
  ///
  /// - Parameter notification: The row, its index, and a snapshot of all rows right after the insertion.
  func rowInserted(_ notification: RowNotification)

  /// A row was removed.
  ///
  /// - Parameter notification: The row, its index before the removal, and a snapshot of all rows right after
  ///   the removal.
  func rowRemoved(_ notification: RowNotification)

  /// The text of a row was changed.
  ///
  /// - Parameter notification: The row with its new text, its index, and a snapshot of all rows right after
  ///   the change.
  func rowModified(_ notification: RowNotification)

  /// Edits have changed the rows; one call reports all edits that were waiting.
  ///
  /// Called only if `prefersBatches` is true.
  ///
  /// - Parameter batch: The combined effect of the edits, which a table can apply as one update.
  func rowsChanged(_ batch: RowBatch)

  /// The model was started again, with other rows.
  ///
  /// - Parameters:
  ///   - rows: The new rows.
  ///   - generation: The number of the generation that begins (see `RowsViewModel`).
  func rowsRestarted(_ rows: RowsSnapshot, generation: Int)

  /// Whether to announce all waiting edits in one call of `rowsChanged(_:)`, instead of one call for each
  /// change.
  ///
  /// The model reads it each time it is about to announce waiting edits.
  var prefersBatches: Bool { get }
}

extension RowsObserver {
  /// Does nothing.
  public func rowInserted(_ notification: RowNotification) {}
  /// Does nothing.
  public func rowRemoved(_ notification: RowNotification) {}
  /// Does nothing.
  public func rowModified(_ notification: RowNotification) {}
  /// Does nothing.
  public func rowsChanged(_ batch: RowBatch) {}
  /// Does nothing.
  public func rowsRestarted(_ rows: RowsSnapshot, generation: Int) {}
  /// The default is `false`: each change is reported by a call of its own.
  public var prefersBatches: Bool { false }
}
