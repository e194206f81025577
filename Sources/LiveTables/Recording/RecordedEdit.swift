/// An edit of the table, as it is written to a record.
package struct RecordedEdit: Sendable, Equatable {
  /// What was done.
  package enum Change: Sendable, Equatable {
    /// A row with this text was put in.
    case insert(String)
    /// This text was added to the end of a row's.
    case append(String)
    /// A row was taken out.
    case remove
  }

  /// Its number in its generation, counted up from 1.
  package var sequence: UInt64
  /// Who made it; `nil` where that is not known.
  package var worker: Int?
  package var index: Int
  package var change: Change

  package init(sequence: UInt64, worker: Int?, index: Int, change: Change) {
    self.sequence = sequence
    self.worker = worker
    self.index = index
    self.change = change
  }
}
