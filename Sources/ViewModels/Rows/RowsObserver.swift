/// Who shows the rows of a `RowsViewModel`.
///
/// All members have implementations that do nothing: write those that you need. They are called on the main
/// actor, one after another, in the order of the edits. The model holds its observer weakly.
@MainActor
public protocol RowsObserver: AnyObject {
  /// A row was inserted.
  ///
  /// - Parameter notification: Where, and the rows after this change.
  func rowInserted(_ notification: RowNotification)

  /// A row was removed.
  ///
  /// - Parameter notification: Where, and the rows after this change.
  func rowRemoved(_ notification: RowNotification)

  /// The text of a row was changed.
  ///
  /// - Parameter notification: Where, and the rows after this change.
  func rowModified(_ notification: RowNotification)

  /// The rows were changed, by all edits since the last call; only where `prefersBatches` is true.
  ///
  /// - Parameter batch: What the edits come to, for a table to apply at once.
  func rowsChanged(_ batch: RowBatch)

  /// The model was started again: earlier notifications no longer count.
  ///
  /// - Parameters:
  ///   - rows: The rows that the new generation begins with.
  ///   - generation: Its number.
  func rowsRestarted(_ rows: RowsSnapshot, generation: Int)

  /// Whether all that waits for the main actor is to be notified in one `rowsChanged(_:)`.
  ///
  /// It is asked each time when something is delivered. Where it is false, there is a call for each change.
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
  /// `false`: a call for each change.
  public var prefersBatches: Bool { false }
}
