internal import AtomicProperties

/// The rows and their mailbox, so that an edit and its notification are one step.
///
/// The lock of a `LockedRowsEngine` guards them; the main actor has those of a `MainActorRowsEngine`.
struct RowsWithMailbox<Store: RowStore>: Sendable {
  var store: Store
  /// Whether workers may edit; not those of another generation in any case.
  var admitsWorkers = true
  /// How long the lock was held, where that is measured.
  var holds: LockHolds?
  private let notice: Notice
  private var generation = 0
  /// The number of the last edit of the generation.
  private var sequence: UInt64 = 0
  private var nextID: UInt64 = 0
  private var mailbox: RowsMailbox
  private var posted = RowCounts()
  private var postedInGeneration = RowCounts()
  /// Counts the snapshots that are alive, where they are counted.
  private let lives: LockFreeProperty<Int>?

  /// What a notification has of its edit.
  private enum Notice {
    /// The row and a snapshot.
    case snapshot
    /// What a mirror has to do.
    case change
    /// The row and nothing else (`RowsFault.pull`).
    case rowAlone
  }

  init(_ configuration: RowsConfiguration, lives: LockFreeProperty<Int>) {
    store = Store([])
    notice =
      configuration.strategy == .delta ? .change : configuration.fault == .pull ? .rowAlone : .snapshot
    mailbox = RowsMailbox(byteLimit: configuration.backlogBytes)
    holds = configuration.measuresLockHolds ? LockHolds() : nil
    self.lives = configuration.audits ? lives : nil
  }

  // MARK: Editing

  /// Whether somebody may edit: a worker of this generation, or anybody who is no worker.
  func admits(_ generation: Int?) -> Bool {
    generation.map { $0 == self.generation && admitsWorkers } ?? true
  }

  /// Makes an edit and gives it its number; `nil`, and nothing, where there is no such row.
  mutating func edit(_ command: RowCommand) -> AppliedEdit? {
    guard let edit = store.apply(command, nextID: nextID, sequence: sequence + 1) else { return nil }
    if edit.change == .inserted { nextID += 1 }
    sequence += 1
    return edit
  }

  /// Puts the notification of an edit that was just made into the mailbox.
  ///
  /// - Parameters:
  ///   - edit: The edit.
  ///   - command: What it was made by.
  /// - Returns: Whether a drain has to be scheduled.
  mutating func post(_ edit: AppliedEdit, _ command: RowCommand) -> Bool {
    let (hasRoom, wakes) = admit(edit)
    if hasRoom { mailbox.append(PostedEdit(edit, content(of: edit, command))) }
    return wakes
  }

  /// Puts a notification into the mailbox whose content has been made before; wrong, see `RowsFault.unlockFirst`.
  mutating func post(_ edit: AppliedEdit, content: PostedEdit.Content) -> Bool {
    let (hasRoom, wakes) = admit(edit)
    if hasRoom { mailbox.append(PostedEdit(edit, content)) }
    return wakes
  }

  private mutating func admit(_ edit: AppliedEdit) -> (hasRoom: Bool, wakes: Bool) {
    posted.count(edit.change)
    postedInGeneration.count(edit.change)
    // Twice the entry itself, because the array that holds them grows by doubling.
    let bytes =
      2 * MemoryLayout<PostedEdit>.stride + edit.row.text.utf8.count
      + (notice == .change ? 0 : store.bytesPerSnapshot + SnapshotLife.bytes)
    return mailbox.admit(sequence: edit.sequence, bytes: bytes)
  }

  /// What is sent of an edit that was just made.
  func content(of edit: borrowing AppliedEdit, _ command: RowCommand) -> PostedEdit.Content {
    switch notice {
    case .snapshot: .snapshot(edit.row, snapshot)
    case .change: .delta(RowDelta(command, edit.row))
    case .rowAlone: .pulled(edit.row)
    }
  }

  var snapshot: RowsSnapshot {
    RowsSnapshot(storage: store.storage, nextID: nextID, life: lives.map { SnapshotLife(in: $0) })
  }

  // MARK: Delivering

  /// Takes all that waits, with the rows as they are at this moment where the last edits have no
  /// notification.
  mutating func takeBurst(into spare: [PostedEdit] = []) -> RowsBurst {
    var edits = spare
    let firstComposed = mailbox.take(into: &edits)
    return RowsBurst(
      generation: generation, edits: edits,
      composed: firstComposed == 0
        ? nil : RowsBurst.Composed(sequences: firstComposed...sequence, after: snapshot))
  }

  /// Numbers for rows to be made.
  mutating func takeIDs(_ count: Int) -> UInt64 {
    defer { nextID += UInt64(count) }
    return nextID
  }

  /// Begins a generation with the rows that are there.
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

/// An edit that was made.
struct AppliedEdit: Sendable {
  let change: RowChange
  let index: Int
  let sequence: UInt64
  /// The row after the edit; the one that was removed.
  let row: Row
}

extension RowStore {
  /// Makes an edit; `nil`, and nothing, where there is no such row.
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
