internal import Protectors

/// The edits of a core on their way to the main actor.
///
/// It never trusts the core: an edit that can't follow the last one is refused and counted. What was posted
/// can therefore be applied to the rows that are shown, whatever the core has made of its own rows.
package final class RowsInbox: Sendable {
  private struct State: Sendable {
    var mailbox: RowsMailbox
    /// Called when something waits; `nil` where nobody takes edits.
    var wake: (@Sendable () -> Void)?
    var generation = 0
    /// The number of the last edit of the generation.
    var sequence: UInt64 = 0
    var nextID: UInt64 = 0
    /// How many rows there are after the last edit.
    var rowCount = 0
    var posted = RowCounts()
    var postedInGeneration = RowCounts()

    /// Counts an edit in that can follow the last one, and puts its notification into the mailbox.
    ///
    /// - Returns: Whether a drain has to be scheduled.
    mutating func admit(_ edit: AppliedEdit) -> Bool {
      sequence = edit.sequence
      posted.count(edit.change)
      postedInGeneration.count(edit.change)
      switch edit.change {
      case .inserted:
        rowCount += 1
        nextID = edit.row.id + 1
      case .removed: rowCount -= 1
      case .modified: break
      }
      // Twice the entry itself, because the array that holds them grows by doubling.
      let bytes = 2 * MemoryLayout<PostedEdit>.stride + edit.row.text.utf8.count
      let (hasRoom, wakes) = mailbox.admit(sequence: edit.sequence, bytes: bytes)
      if hasRoom { mailbox.append(PostedEdit(edit, .announced(edit.row))) }
      return wakes
    }

    /// Takes all that waits.
    ///
    /// - Parameter rows: The rows after the last edit, where the last ones have no notification of their own.
    mutating func take(into spare: [PostedEdit], after rows: RowsSnapshot?) -> RowsBurst {
      var edits = spare
      let firstComposed = mailbox.take(into: &edits)
      let composed = rows.flatMap { rows in
        firstComposed == 0 ? nil : RowsBurst.Composed(sequences: firstComposed...sequence, after: rows)
      }
      return RowsBurst(generation: generation, edits: edits, composed: composed)
    }
  }

  /// The greatest identity that a row of a core may have: enough, and far from an overflow.
  package static var greatestID: UInt64 { 1 << 62 }

  /// The result of posting an edit.
  package enum Outcome: Sendable {
    case posted
    /// It has not the number after the last one's, or its row's identity is not new.
    case outOfOrder
    /// There can be no such row.
    case noSuchRow
    /// The generation has ended.
    case oldGeneration
    /// Nobody takes edits any more.
    case closed
  }

  private let state: ExclusiveProtector<State>

  /// - Parameter byteLimit: How much memory notifications may take.
  init(byteLimit: Int) {
    state = ExclusiveProtector(State(mailbox: RowsMailbox(byteLimit: byteLimit)))
  }

  /// - Parameter wake: Called from now on when something waits, on the thread that has posted it.
  func open(_ wake: @escaping @Sendable () -> Void) {
    state.withWriteLock { $0.wake = wake }
  }

  // MARK: Posting

  /// Posts an edit that the core has made, on any thread.
  ///
  /// - Parameters:
  ///   - change: What happened.
  ///   - index: Where.
  ///   - row: The row after it, or before a removal.
  ///   - sequence: The number of the edit.
  ///   - generation: The generation that it was made in.
  package func post(
    _ change: RowChange, at index: Int, _ row: Row, sequence: UInt64, generation: Int
  ) -> Outcome {
    let (outcome, wake) = state.withWriteLock { state -> (Outcome, (@Sendable () -> Void)?) in
      guard let wake = state.wake else { return (.closed, nil) }
      if state.generation != generation { return (.oldGeneration, nil) }
      if sequence != state.sequence + 1 { return (.outOfOrder, nil) }
      let limit = change == .inserted ? state.rowCount + 1 : state.rowCount
      if index < 0 || index >= limit { return (.noSuchRow, nil) }
      if change == .inserted, !(state.nextID...Self.greatestID).contains(row.id) { return (.outOfOrder, nil) }
      let edit = AppliedEdit(change: change, index: index, sequence: sequence, row: row)
      return (.posted, state.admit(edit) ? wake : nil)
    }
    wake?()
    return outcome
  }

  /// Takes no edit any more.
  package func close() {
    state.withWriteLock { $0.wake = nil }
  }

  // MARK: Delivering

  /// Takes all that waits; `nil`, and nothing, where that takes reading the rows of the core.
  func take(into spare: [PostedEdit]) -> RowsBurst? {
    state.withWriteLock { state in
      state.mailbox.firstComposed == 0 ? state.take(into: spare, after: nil) : nil
    }
  }

  /// Takes all that waits, of which the last edits have no notification of their own.
  ///
  /// - Parameter rows: The rows after the last edit that was posted.
  /// - Returns: What waited, and the generation and the number of the last edit that was posted.
  func take(
    into spare: [PostedEdit], rows: RowsSnapshot
  ) -> (burst: RowsBurst, generation: Int, sequence: UInt64) {
    state.withWriteLock { state in
      state.rowCount = rows.count
      state.nextID = max(state.nextID, rows.nextID)
      return (state.take(into: spare, after: rows), state.generation, state.sequence)
    }
  }

  /// Begins a generation of so many rows; edits that are posted with another number are refused from now on.
  ///
  /// - Returns: The generation, the identity of its first row, and how many edits nobody was notified of.
  func begin(rowCount: Int) -> (generation: Int, firstID: UInt64, dropped: Int) {
    var forgotten: RowsBurst?
    defer { withExtendedLifetime(forgotten) {} }
    return state.withWriteLock { state in
      let dropped = state.mailbox.count
      // Released outside the lock.
      forgotten = state.take(into: [], after: nil)
      state.generation += 1
      state.sequence = 0
      state.postedInGeneration = RowCounts()
      state.rowCount = rowCount
      defer { state.nextID += UInt64(rowCount) }
      return (state.generation, state.nextID, dropped)
    }
  }

  var account: RowsAccount {
    state.withWriteLock { state in
      RowsAccount(
        posted: state.posted, postedInGeneration: state.postedInGeneration, queued: state.mailbox.count,
        mostQueued: state.mailbox.mostCount)
    }
  }
}
