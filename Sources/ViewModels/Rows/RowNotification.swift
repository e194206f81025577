/// One change of the rows, as it is delivered to an observer.
public struct RowNotification: Sendable {
  /// What happened.
  public let change: RowChange
  /// Where: the index of the row after an insertion or a modification, before a removal.
  public let index: Int
  /// The row, as it was inserted or modified, or as it was when it was removed.
  public let row: Row
  /// All rows as they were after this change and before the next.
  public let rows: RowsSnapshot
  /// The edits that this notification accounts for: numbers that count up from 1 in each generation.
  ///
  /// Each notification goes on where the one before it ended. It is one number, but for what was composed
  /// while the main actor had no time.
  public let sequences: ClosedRange<UInt64>
  /// The generation of the rows: how often the model was started.
  public let generation: Int

  /// The number of the last edit that this notification accounts for.
  public var sequence: UInt64 { sequences.upperBound }
}
