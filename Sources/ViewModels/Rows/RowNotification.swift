/// One change of the rows, as it is delivered to an observer.
public struct RowNotification: Sendable {
  /// The kind of change.
  public let change: RowChange
  /// The index of the row after the change; for a removed row, its index before the change.
  public let index: Int
  /// The inserted or modified row, or the removed row as it was before.
  public let row: Row
  /// All rows after this change and before the next.
  ///
  /// Only a sample table that shows wrong rows on purpose sets this property.
  public package(set) var rows: RowsSnapshot
  /// The numbers of the edits that this notification covers.
  ///
  /// Edits are counted from 1 in each generation (see `RowsViewModel`). The numbers follow those of the
  /// previous notification without a gap. There is more than one number only if edits were combined while the
  /// main actor was busy.
  public let sequences: ClosedRange<UInt64>
  /// The number of the generation to which the rows belong (see `RowsViewModel`).
  ///
  /// It grows by 1 each time the model is started again.
  public let generation: Int

  /// The number of the last edit that this notification covers.
  public var sequence: UInt64 { sequences.upperBound }
}
