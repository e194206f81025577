internal import AtomicProperties
internal import RowTrees
internal import Snapshots

/// Delivers edits on the main actor: calls the observer and the keyed observers, and counts delivered edits.
///
/// A *drain* takes all waiting edits from the mailbox. The edits that it takes are a *burst*. A callback may
/// request another delivery. That delivery begins when the current burst has been delivered, and until then
/// its edits stay in the mailbox, whose memory is bounded. If a callback starts the model again, the observer
/// is notified of the new rows immediately, and the rest of the burst is dropped.
@MainActor
final class RowsDelivery {
  weak var observer: (any RowsObserver)?
  /// The closures of `RowsViewModel.observe(whileAlive:_:)`, called with the rows that are shown after each
  /// change.
  nonisolated let keyedObservers = KeyedObservers<@MainActor @Sendable (RowsSnapshot) -> Void>()
  /// The number of live snapshots; not counted without `RowsConfiguration.audits`.
  nonisolated let lives = AtomicProperty(0)
  /// The rows after the last complete delivery, for readers on any thread; `nil` while no reader keeps this
  /// object.
  ///
  /// Published rows share their nodes with `shown`, so the next burst has to copy each node that it changes.
  /// They don't count as a live snapshot.
  private weak var published: Snapshot<RowsSnapshot>?
  private let audits: Bool

  /// The rows of the last callback.
  private(set) var shown = RowsSnapshot.empty
  private(set) var generation = 0
  private(set) var mirror: RowsMirror?
  private(set) var delivered = 0
  private(set) var unobserved = 0
  private(set) var droppedByGeneration = 0
  private(set) var drains = 0
  private(set) var mostPerDrain = 0
  private(set) var composedBatches = 0

  /// The first edit number that no notification has covered; `nil` if all delivered edits are covered.
  ///
  /// If edits are combined and cancel one another out, there is no notification of them. The next
  /// notification covers their numbers too.
  private var firstSequence: UInt64?
  private var isDelivering = false
  /// Whether another delivery was requested after the current one began to take edits.
  private var isDue = false
  /// An empty array whose capacity is reused for the edits that are taken next.
  private var spare: [PostedEdit] = []

  nonisolated init(_ configuration: RowsConfiguration) {
    audits = configuration.audits
  }

  func newLife() -> SnapshotLife? { audits ? SnapshotLife(in: lives) : nil }

  /// See `RowsViewModel.publishedRows`.
  var publishedRows: Snapshot<RowsSnapshot> {
    if let published { return published }
    let rows = Snapshot(shown, label: "published rows")
    published = rows
    return rows
  }

  // MARK: Generations

  /// Begins a generation (see `RowsViewModel`), and notifies all observers.
  func begin(_ beginning: RowsBeginning) {
    generation = beginning.generation
    droppedByGeneration += beginning.dropped
    firstSequence = nil
    show(beginning.rows)
    published?.publish(shown)
    if audits {
      if mirror == nil { mirror = RowsMirror(shown) } else { mirror?.restart(shown) }
    }
    observer?.rowsRestarted(beginning.rows, generation: generation)
    notifyKeyedObservers()
  }

  // MARK: Bursts

  /// Whether the observer wants one call for all waiting edits.
  var prefersBatches: Bool { observer?.prefersBatches == true }

  /// Notifies the observer of all waiting edits.
  ///
  /// If a callback of the observer calls this function, the running outer call delivers the edits later.
  ///
  /// - Parameter take: Takes the edits from the mailbox, into an empty array whose capacity is reused.
  func deliver(taking take: (_ spare: [PostedEdit]) -> RowsBurst) {
    isDue = true
    guard !isDelivering else { return }
    isDelivering = true
    defer { isDelivering = false }
    while isDue {
      isDue = false
      var burst = take(takeSpare())
      guard burst.count > 0 else { return }
      drains += 1
      mostPerDrain = max(mostPerDrain, burst.count)
      if prefersBatches {
        tellAtOnce(burst)
      } else {
        tellOneByOne(burst)
      }
      published?.publish(shown)
      burst.edits.removeAll(keepingCapacity: true)
      spare = burst.edits
    }
  }

  private func takeSpare() -> [PostedEdit] {
    defer { spare = [] }
    return spare
  }

  private func tellOneByOne(_ burst: RowsBurst) {
    var left = burst.count
    for edit in burst.edits {
      // A callback may have started the model again, with other rows. Then the remaining edits are dropped.
      guard burst.generation == generation else { break }
      left -= 1
      let (row, rows) = follow(edit)
      account(for: 1)
      tell(edit.change, edit.index, row, rows, firstSequence.take() ?? edit.sequence, edit.sequence)
    }
    if let composed = burst.composed, burst.generation == generation {
      left = 0
      tellSteps(of: composed)
    }
    droppedByGeneration += left
  }

  /// Notifies the observer of combined edits, by one call for each row that differs between the old and the
  /// new rows.
  ///
  /// There are at most as many such rows as edits. Each call except the last one carries the number of one
  /// edit. The last call carries all remaining numbers. If `composed.after` is `nil`, the edits have no
  /// effect together: there is no call, and the next notification carries all numbers.
  private func tellSteps(of composed: RowsBurst.Composed) {
    let generation = generation
    let first = firstSequence.take() ?? composed.sequences.lowerBound
    composedBatches += 1
    account(for: composed.sequences.count)
    guard let after = composed.after else {
      firstSequence = first
      return
    }
    let batch = RowBatch(
      from: shown, to: after, sequences: first...composed.sequences.upperBound, generation: generation)
    guard batch.count > 0 else {
      firstSequence = first
      show(after)
      return
    }
    var rows = batch.before.tree
    var number = first
    var missing = batch.count
    batch.replay(on: &rows) { change, index, row, rows in
      guard generation == self.generation else { return }
      missing -= 1
      let snapshot = RowsSnapshot(storage: .tree(rows), nextID: after.nextID, life: newLife())
      show(snapshot)
      tell(change, index, row, snapshot, number, missing == 0 ? composed.sequences.upperBound : number)
      number += 1
    }
  }

  /// Notifies the observer, in one call, of all edits that were taken from the mailbox together.
  private func tellAtOnce(_ burst: RowsBurst) {
    var before = shown
    before.life = newLife()
    var last = burst.edits.last?.sequence
    let first = firstSequence.take() ?? burst.edits.first?.sequence ?? burst.composed?.sequences.lowerBound
    for edit in burst.edits { _ = follow(edit) }
    if let composed = burst.composed {
      if let after = composed.after { show(after) }
      last = composed.sequences.upperBound
      composedBatches += 1
    }
    guard let first, let last else { return }
    var after = shown
    after.life = newLife()
    let batch = RowBatch(from: before, to: after, sequences: first...last, generation: generation)
    account(for: burst.count)
    mirror?.apply(batch)
    observer?.rowsChanged(batch)
    notifyKeyedObservers()
  }

  // MARK: The rows that are shown

  /// Sets `shown` to the rows after an edit, and returns the edit's row and these rows.
  ///
  /// If the edit was posted with a snapshot of the rows, `shown` becomes that snapshot. Otherwise the edit is
  /// applied to `shown`.
  private func follow(_ edit: PostedEdit) -> (Row, RowsSnapshot) {
    switch edit.content {
    case .snapshot(let row, let rows):
      show(rows)
      return (row, rows)
    case .delta(let delta):
      // The tree is moved out of `shown`, so that it is changed in place if no observer has kept it.
      var rows = shown.tree
      shown.storage = .array([])
      let row = delta.apply(to: &rows, at: edit.index)
      shown.storage = .tree(rows)
      shown.nextID = max(shown.nextID, row.id + 1)
      return (row, shownWithLife)
    case .announced(let row):
      var rows = shown.tree
      shown.storage = .array([])
      switch edit.change {
      case .inserted: rows.insert(row, at: edit.index)
      case .removed: rows.remove(at: edit.index)
      case .modified: rows.replace(at: edit.index, with: row)
      }
      shown.storage = .tree(rows)
      shown.nextID = max(shown.nextID, row.id + 1)
      return (row, shownWithLife)
    }
  }

  /// Sets `shown`, which does not count as a live snapshot.
  private func show(_ rows: RowsSnapshot) {
    shown = rows
    shown.life = nil
  }

  private var shownWithLife: RowsSnapshot {
    var rows = shown
    rows.life = newLife()
    return rows
  }

  // MARK: Calling

  private func account(for count: Int) {
    if observer == nil { unobserved += count } else { delivered += count }
  }

  private func tell(
    _ change: RowChange, _ index: Int, _ row: Row, _ rows: RowsSnapshot, _ first: UInt64, _ last: UInt64
  ) {
    // An engine that is wrong on purpose may post edits out of order. Then `first` may be greater than
    // `last`, and such a range would trap. `mirror` still detects the wrong order.
    let notification = RowNotification(
      change: change, index: index, row: row, rows: rows, sequences: min(first, last)...last,
      generation: generation)
    mirror?.apply(notification)
    switch change {
    case .inserted: observer?.rowInserted(notification)
    case .removed: observer?.rowRemoved(notification)
    case .modified: observer?.rowModified(notification)
    }
    notifyKeyedObservers()
  }

  private func notifyKeyedObservers() {
    guard !keyedObservers.isEmpty else { return }
    // The rows are read again for each observer, because the previous observer may have started the model
    // again and so replaced the rows.
    keyedObservers.forEach { _, show in show(shownWithLife) }
  }
}
