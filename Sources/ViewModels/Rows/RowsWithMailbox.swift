internal import AtomicProperties

/// The rows and their mailbox in one value, so that an edit and its notification can be one atomic step.
///
/// In a `LockedRowsEngine`, a lock guards this value. In a `MainActorRowsEngine`, only the main actor uses
/// it.
struct RowsWithMailbox<Store: RowStore>: Sendable {
  var store: Store
  /// Whether the workers of the current generation may edit (see `RowsViewModel`).
  ///
  /// Workers of earlier generations may never edit.
  var admitsWorkers = true
  /// The hold times of the lock; `nil` if they are not measured.
  var holds: LockHolds?
  /// Whether a notification carries only the change of one row (see `RowDelta`), and not a snapshot of all
  /// rows after the edit.
  private let postsChanges: Bool
  private var generation = 0
  /// The number of the last edit; 0 before the first edit of a generation (see `RowsViewModel`).
  private var sequence: UInt64 = 0
  private var nextID: UInt64 = 0
  private var mailbox: RowsMailbox
  private var posted = RowCounts()
  private var postedInGeneration = RowCounts()
  /// The count of live snapshots; `nil` if they are not counted.
  private let lives: AtomicProperty<Int>?

  init(_ configuration: RowsConfiguration, lives: AtomicProperty<Int>) {
    store = Store([])
    postsChanges = configuration.strategy == .delta
    mailbox = RowsMailbox(byteLimit: configuration.backlogBytes)
    holds = configuration.measuresLockHolds ? LockHolds() : nil
    self.lives = configuration.audits ? lives : nil
  }

  // MARK: Editing

  /// Whether a caller may edit.
  ///
  /// - Parameter generation: The generation (see `RowsViewModel`) of the worker that calls; `nil` for any
  ///   other caller, which may always edit.
  func admits(_ generation: Int?) -> Bool {
    generation.map { $0 == self.generation && admitsWorkers } ?? true
  }

  /// Makes an edit and numbers it.
  ///
  /// Returns `nil`, and changes nothing, if the command's position does not exist.
  mutating func edit(_ command: RowCommand) -> AppliedEdit? {
    guard let edit = store.apply(command, nextID: nextID, sequence: sequence + 1) else { return nil }
    if edit.change == .inserted { nextID += 1 }
    sequence += 1
    return edit
  }

  /// Puts the notification of an edit into the mailbox; only counts the edit if there is no room.
  ///
  /// Must be called right after the edit, in the same critical section.
  ///
  /// - Parameters:
  ///   - edit: The edit.
  ///   - command: The command that caused the edit.
  /// - Returns: Whether the caller must schedule a drain after the unlock (see `RowsMailbox`).
  mutating func post(_ edit: AppliedEdit, _ command: RowCommand) -> Bool {
    let (hasRoom, wakes) = admit(edit)
    if hasRoom { mailbox.append(PostedEdit(edit, content(of: edit, command))) }
    return wakes
  }

  /// Puts a notification with given contents into the mailbox; only counts the edit if there is no room.
  ///
  /// Returns whether the caller must schedule a drain after the unlock (see `RowsMailbox`). Only a
  /// `TwoStepRowsEngine` needs this function, because it makes the contents in an earlier critical section.
  mutating func post(_ edit: AppliedEdit, content: PostedEdit.Content) -> Bool {
    let (hasRoom, wakes) = admit(edit)
    if hasRoom { mailbox.append(PostedEdit(edit, content)) }
    return wakes
  }

  private mutating func admit(_ edit: AppliedEdit) -> (hasRoom: Bool, wakes: Bool) {
    posted.count(edit.change)
    postedInGeneration.count(edit.change)
    // Twice the size of the entry, because the array that holds the entries grows by doubling.
    let bytes =
      2 * MemoryLayout<PostedEdit>.stride + edit.row.text.utf8.count
      + (postsChanges ? 0 : store.bytesPerSnapshot + SnapshotLife.bytes)
    return mailbox.admit(sequence: edit.sequence, bytes: bytes)
  }

  /// Makes the contents of an edit's notification.
  ///
  /// Must be called right after the edit, in the same critical section, because it may take a snapshot.
  func content(of edit: borrowing AppliedEdit, _ command: RowCommand) -> PostedEdit.Content {
    postsChanges ? .delta(RowDelta(command, edit.row)) : .snapshot(edit.row, snapshot)
  }

  var snapshot: RowsSnapshot {
    RowsSnapshot(storage: store.storage, nextID: nextID, life: lives.map { SnapshotLife(in: $0) })
  }

  // MARK: Delivering

  /// Takes all waiting notifications.
  ///
  /// If the last edits were only counted, the result has a snapshot of the current rows instead of their
  /// notifications.
  mutating func takeBurst(into spare: [PostedEdit] = []) -> RowsBurst {
    var edits = spare
    let firstComposed = mailbox.take(into: &edits)
    return RowsBurst(
      generation: generation, edits: edits,
      composed: firstComposed == 0
        ? nil : RowsBurst.Composed(sequences: firstComposed...sequence, after: snapshot))
  }

  /// Reserves `count` consecutive identities for new rows, and returns the first.
  mutating func takeIDs(_ count: Int) -> UInt64 {
    defer { nextID += UInt64(count) }
    return nextID
  }

  /// Begins a generation (see `RowsViewModel`) with the current rows.
  ///
  /// - Parameter dropped: The number of edits that the caller has dropped from the mailbox.
  mutating func begin(dropping dropped: Int) -> RowsBeginning {
    generation += 1
    sequence = 0
    postedInGeneration = RowCounts()
    admitsWorkers = true
    return RowsBeginning(generation: generation, rows: snapshot, dropped: dropped)
  }

  var account: RowsAccount {
    RowsAccount(
      posted: posted, postedInGeneration: postedInGeneration, queued: mailbox.count,
      mostQueued: mailbox.mostCount, lockHolds: holds)
  }
}

/// An edit that has been made.
struct AppliedEdit: Sendable {
  let change: RowChange
  let index: Int
  let sequence: UInt64
  /// The row after the edit, or the removed row.
  let row: Row
}

extension RowStore {
  /// Makes an edit with the number `sequence`; an inserted row gets the identity `nextID`.
  ///
  /// Returns `nil`, and changes nothing, if the command's position does not exist.
  mutating func apply(_ command: RowCommand, nextID: UInt64, sequence: UInt64) -> AppliedEdit? {
    switch command {
    case .insert(let text, let position):
      guard let index = position.index(below: count + 1) else { return nil }
      let row = Row(id: nextID, text: text)
      insert(row, at: index)
      return AppliedEdit(change: .inserted, index: index, sequence: sequence, row: row)
    case .remove(let position):
      guard let index = position.index(below: count) else { return nil }
      let row = remove(at: index)
      return AppliedEdit(change: .removed, index: index, sequence: sequence, row: row)
    case .append(let text, let position):
      guard let index = position.index(below: count) else { return nil }
      let row = self[index].append(text)
      return AppliedEdit(change: .modified, index: index, sequence: sequence, row: row)
    }
  }
}
