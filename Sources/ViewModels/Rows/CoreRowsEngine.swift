internal import RowTrees

/// Connects a `RowsViewModel` to a `RowsCore` that owns the rows.
///
/// The model shows a copy of these rows. The core posts its edits to a `RowsInbox`, where each waits as a
/// notification. When the waiting notifications exceed `RowsConfiguration.backlogBytes`, the inbox only
/// counts further edits. The main actor then reads all rows of the core, and delivers their difference from
/// the rows before the counted edits. It reads the rows and empties the inbox in one critical section of the
/// core. So the rows that it reads contain exactly the edits that it takes.
///
/// A core that ends while counted edits wait leaves its last rows in the inbox. If it leaves none, the model
/// keeps showing the rows of the last notification.
final class CoreRowsEngine: RowsEngine {
  private let core: any RowsCore
  private let inbox: RowsInbox
  private let delivery: RowsDelivery
  private let scheduledDrain = ScheduledDrain()

  init(_ core: any RowsCore, byteLimit: Int, delivery: RowsDelivery) {
    self.core = core
    self.delivery = delivery
    inbox = RowsInbox(byteLimit: byteLimit)
  }

  /// Opens the inbox, passes it to the `RowsCore`, and begins the first generation (see `RowsViewModel`).
  ///
  /// - Returns: The beginning of the generation; `nil` if `RowsCore.activate(_:beginning:)` returned
  ///   `false`.
  @MainActor
  func activate(_ texts: [String]) -> RowsBeginning? {
    // The closure captures this engine weakly. A strong capture might be the last reference to the engine,
    // released on a thread of the `RowsCore`. Then the core's `deinit` would run on that thread and join it:
    // a deadlock.
    inbox.open { [weak self, scheduledDrain] in
      scheduledDrain.schedule { [weak self] in self?.drain() }
    }
    var beginning: RowsBeginning?
    let isActive = core.activate(inbox) {
      let (begun, hasBegun) = beginGeneration(texts)
      beginning = begun
      return hasBegun
    }
    return isActive ? beginning : nil
  }

  // MARK: Editing

  func apply(_ command: RowCommand, generation: Int?) -> Bool {
    core.apply(command)
  }

  func dismissWorkers() {}

  // MARK: Delivering

  func drain() {
    delivery.deliver { takeBurst(into: $0) }
  }

  @MainActor
  private func takeBurst(into spare: [PostedEdit]) -> RowsBurst {
    if let burst = inbox.take(into: spare) { return burst }
    var burst: RowsBurst?
    _ = core.read { read in
      let taken = inbox.take(into: spare, rows: snapshot(of: read.rows))
      burst = taken.burst
      return taken.generation == read.generation && taken.sequence == read.sequence
    }
    // A `RowsCore` that has ended or is faulty reports no rows.
    return burst ?? inbox.takeUnread(into: spare, hasEnded: core.hasEnded) { snapshot(of: $0) }
  }

  func begin(_ texts: [String]) -> RowsBeginning {
    beginGeneration(texts).beginning
  }

  /// Begins a generation (see `RowsViewModel`).
  ///
  /// - Returns: The beginning, and whether the `RowsCore` has replaced its rows.
  @MainActor
  private func beginGeneration(_ texts: [String]) -> (beginning: RowsBeginning, hasBegun: Bool) {
    let (generation, firstID, dropped) = inbox.begin(rowCount: texts.count)
    let hasBegun = core.begin(generation: generation, firstID: firstID, texts: texts)
    let rows = texts.enumerated().map { Row(id: firstID + UInt64($0.offset), text: $0.element) }
    return (RowsBeginning(generation: generation, rows: snapshot(of: rows), dropped: dropped), hasBegun)
  }

  @MainActor
  private func snapshot(of rows: [Row]) -> RowsSnapshot {
    let nextID = rows.reduce(0) { max($0, $1.id + 1) }
    return RowsSnapshot(storage: .tree(RowTree(rows)), nextID: nextID, life: delivery.newLife())
  }

  var latest: RowsSnapshot {
    var rows: RowsSnapshot?
    _ = core.read {
      rows = snapshot(of: $0.rows)
      return true
    }
    return rows ?? delivery.shown
  }

  var account: RowsAccount { inbox.account }
}
