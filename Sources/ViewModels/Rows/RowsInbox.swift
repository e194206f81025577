internal import Protectors

/// Receives the edits of a `RowsCore`, and keeps them until the main actor takes them.
///
/// The inbox does not trust the core. It refuses an edit that can't follow the last one, for example if its
/// index is out of range. So each accepted edit can be applied to the rows that the model shows, even if they
/// differ from the core's rows.
package final class RowsInbox: Sendable {
  private struct State: Sendable {
    var mailbox: RowsMailbox
    /// Schedules a drain (see `RowsMailbox`); called by a thread that posts an edit or closes the inbox.
    ///
    /// It is `nil` while the inbox accepts no edits.
    var wake: (@Sendable () -> Void)?
    var generation = 0
    /// The number of the last edit of the current generation (see `RowsViewModel`).
    var sequence: UInt64 = 0
    var nextID: UInt64 = 0
    /// The number of rows after the last edit.
    var rowCount = 0
    /// The number of rows after the last edit that has a notification.
    var notifiedCount = 0
    /// The last rows of a `RowsCore` that ended while edits without a notification waited; otherwise `nil`.
    var lastRows: [Row]?
    var posted = RowCounts()
    var postedInGeneration = RowCounts()

    /// Counts an edit, and puts its notification into the mailbox if there is room.
    ///
    /// The caller must have checked that the edit can follow the last one. Returns whether a drain (see
    /// `RowsMailbox`) must be scheduled.
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
      // Twice the size of the entry, because the array that holds the entries grows by doubling.
      let bytes = 2 * MemoryLayout<PostedEdit>.stride + edit.row.text.utf8.count
      let (hasRoom, wakes) = mailbox.admit(sequence: edit.sequence, bytes: bytes)
      if hasRoom {
        mailbox.append(PostedEdit(edit, .announced(edit.row)))
        notifiedCount = rowCount
      }
      return wakes
    }

    /// Takes all waiting edits.
    ///
    /// - Parameter rows: The rows after the last edit, or `nil` if they are not known. They replace the
    ///   notifications of edits that were only counted, because there was no room for them.
    mutating func take(into spare: [PostedEdit], after rows: RowsSnapshot?) -> RowsBurst {
      var edits = spare
      let firstComposed = mailbox.take(into: &edits)
      return RowsBurst(
        generation: generation, edits: edits,
        composed: firstComposed == 0
          ? nil : RowsBurst.Composed(sequences: firstComposed...sequence, after: rows))
    }
  }

  /// The greatest identity of a row that a `RowsCore` may insert.
  package static var greatestID: UInt64 { 1 << 62 }

  /// The greatest identity of a row that a `RowsCore` may report.
  ///
  /// It exceeds `greatestID`, because a generation (see `RowsViewModel`) that begins after an insertion with
  /// that identity gives its rows greater ones. It is far below the maximum of `UInt64`, so that adding a
  /// number of rows does not overflow.
  package static var greatestReportedID: UInt64 { 1 << 63 }

  /// The result of posting an edit.
  package enum Outcome: Sendable {
    case posted
    /// The edit's number does not follow that of the last edit, or an inserted row's identity is not new or
    /// exceeds `greatestID`.
    case outOfOrder
    /// The edit's index is out of range, or no row with its identity has been inserted.
    case noSuchRow
    /// The edit belongs to another generation than the current one (see `RowsViewModel`).
    case oldGeneration
    /// The inbox accepts no edits any more.
    case closed
  }

  private let state: ExclusiveProtector<State>

  /// Makes an inbox that accepts no edits yet.
  ///
  /// - Parameter byteLimit: The maximum memory of waiting notifications, in bytes.
  init(byteLimit: Int) {
    state = ExclusiveProtector(State(mailbox: RowsMailbox(byteLimit: byteLimit)))
  }

  /// Makes the inbox accept edits from now on.
  ///
  /// - Parameter wake: Schedules a drain (see `RowsMailbox`). Called on a thread that posts an edit, unless a
  ///   drain is already scheduled, and on the thread that closes the inbox.
  func open(_ wake: @escaping @Sendable () -> Void) {
    state.withLock { $0.wake = wake }
  }

  // MARK: Posting

  /// Posts an edit that the `RowsCore` has made; can be called on any thread.
  ///
  /// - Parameters:
  ///   - change: The kind of the edit.
  ///   - index: The index of the row after the edit; for a removed row, its index before the edit.
  ///   - row: The row after the edit, or the removed row.
  ///   - sequence: The number of the edit.
  ///   - generation: The number of the generation in which the edit was made (see `RowsViewModel`).
  /// - Returns: `posted`, or the reason why the inbox has refused the edit.
  package func post(
    _ change: RowChange, at index: Int, _ row: Row, sequence: UInt64, generation: Int
  ) -> Outcome {
    let (outcome, wake) = state.withLock { state -> (Outcome, (@Sendable () -> Void)?) in
      guard let wake = state.wake else { return (.closed, nil) }
      if state.generation != generation { return (.oldGeneration, nil) }
      if sequence != state.sequence + 1 { return (.outOfOrder, nil) }
      let limit = change == .inserted ? state.rowCount + 1 : state.rowCount
      if index < 0 || index >= limit { return (.noSuchRow, nil) }
      if change == .inserted {
        if row.id < state.nextID || row.id > Self.greatestID { return (.outOfOrder, nil) }
      } else if row.id >= state.nextID {
        return (.noSuchRow, nil)
      }
      let edit = AppliedEdit(change: change, index: index, sequence: sequence, row: row)
      return (.posted, state.admit(edit) ? wake : nil)
    }
    wake?()
    return outcome
  }

  /// Makes the inbox refuse all further edits, and schedules a drain of those that wait (see `RowsMailbox`).
  package func close() {
    let wake = state.withLock { $0.wake.take() }
    wake?()
  }

  /// Closes the inbox, as `close()` does, unless edits wait that were only counted and have no notification.
  ///
  /// - Returns: Whether the inbox is closed. If not, the caller must read the rows of the `RowsCore`, and
  ///   pass them to `close(_:)`.
  package func closeIfComplete() -> Bool {
    let (isClosed, wake) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
      state.mailbox.firstComposed == 0 ? (true, state.wake.take()) : (false, nil)
    }
    wake?()
    return isClosed
  }

  /// Makes the inbox refuse all further edits, as `close()` does, and keeps the last rows of the `RowsCore`
  /// for the edits that were only counted.
  ///
  /// - Parameter read: All rows of the `RowsCore`, read in the critical section in which it posts its edits.
  /// - Returns: Whether the rows are up to date. If not, they are not kept. The inbox is closed in either
  ///   case.
  package func close(_ read: CoreRows) -> Bool {
    let (isUpToDate, wake) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
      let isUpToDate = state.generation == read.generation && state.sequence == read.sequence
      if isUpToDate { state.lastRows = read.rows }
      return (isUpToDate, state.wake.take())
    }
    wake?()
    return isUpToDate
  }

  // MARK: Delivering

  /// Takes all waiting edits if there is a notification for each of them; otherwise takes nothing and returns
  /// `nil`.
  ///
  /// Edits without a notification were only counted, because the notifications would have taken too much
  /// memory. If the result is `nil`, the caller must read the rows of the `RowsCore`, and pass them to
  /// `take(into:rows:)`.
  ///
  /// - Parameter spare: An empty array, whose capacity is reused for later edits.
  func take(into spare: [PostedEdit]) -> RowsBurst? {
    state.withLock { state in
      state.mailbox.firstComposed == 0 ? state.take(into: spare, after: nil) : nil
    }
  }

  /// Takes all waiting edits, including those that have no notification.
  ///
  /// If there was no room for an edit's notification, the edit was only counted.
  ///
  /// - Parameter rows: The rows after the last edit that was posted. They replace the notifications of the
  ///   counted edits.
  /// - Returns: The edits, the number of their generation (see `RowsViewModel`), and the number of the last
  ///   edit that was posted.
  func take(
    into spare: [PostedEdit], rows: RowsSnapshot
  ) -> (burst: RowsBurst, generation: Int, sequence: UInt64) {
    state.withLock { state in
      (state.rowCount, state.notifiedCount) = (rows.count, rows.count)
      state.nextID = max(state.nextID, rows.nextID)
      return (state.take(into: spare, after: rows), state.generation, state.sequence)
    }
  }

  /// Takes all waiting edits of a `RowsCore` that does not report its rows, because it has ended or is
  /// faulty.
  ///
  /// Edits that were only counted change nothing, unless the core has left its last rows. Later edits are
  /// checked against the rows of the last notification. If the core is about to close the inbox, nothing is
  /// taken: closing schedules another drain (see `RowsMailbox`).
  ///
  /// - Parameters:
  ///   - hasEnded: Whether the core has ended. A core that has ended closes the inbox soon, or has done so.
  ///   - snapshot: Makes a snapshot of the last rows.
  @MainActor
  func takeUnread(
    into spare: [PostedEdit], hasEnded: Bool, _ snapshot: ([Row]) -> RowsSnapshot
  ) -> RowsBurst {
    if let last = state.withLock({ $0.lastRows.take() }) {
      return take(into: spare, rows: snapshot(last)).burst
    }
    return state.withLock { state in
      if hasEnded, state.wake != nil {
        return RowsBurst(generation: state.generation, edits: spare, composed: nil)
      }
      state.rowCount = state.notifiedCount
      return state.take(into: spare, after: nil)
    }
  }

  /// Begins a generation (see `RowsViewModel`) with `rowCount` rows.
  ///
  /// From now on, edits that are posted for earlier generations are refused.
  ///
  /// - Returns: The number of the generation, the identity of its first row, and the number of edits that
  ///   were dropped without a notification.
  func begin(rowCount: Int) -> (generation: Int, firstID: UInt64, dropped: Int) {
    var forgotten: RowsBurst?
    var lastRows: [Row]?
    defer { withExtendedLifetime((forgotten, lastRows)) {} }
    return state.withLock { state in
      let dropped = state.mailbox.count
      // The dropped edits are released after the unlock.
      forgotten = state.take(into: [], after: nil)
      state.generation += 1
      state.sequence = 0
      state.postedInGeneration = RowCounts()
      (state.rowCount, state.notifiedCount) = (rowCount, rowCount)
      swap(&state.lastRows, &lastRows)
      defer { state.nextID += UInt64(rowCount) }
      return (state.generation, state.nextID, dropped)
    }
  }

  var account: RowsAccount {
    state.withLock { state in
      RowsAccount(
        posted: state.posted, postedInGeneration: state.postedInGeneration, queued: state.mailbox.count,
        mostQueued: state.mailbox.mostCount)
    }
  }
}
