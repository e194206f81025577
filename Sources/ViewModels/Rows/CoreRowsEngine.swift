/// The engine of a `RowsViewModel` whose rows belong to a `RowsCore`; the main actor has a copy of these
/// rows.
///
/// The core posts its edits to a `RowsInbox`, where each edit waits as a notification. When the waiting
/// notifications take more memory than `RowsConfiguration.backlogBytes`, further edits are only counted. To
/// deliver the counted edits, the main actor reads the rows of the core. It reads them and empties the inbox
/// in one critical section of the core, so the rows contain exactly the edits that were taken.
final class CoreRowsEngine: RowsEngine {
  private let core: any RowsCore
  private let inbox: RowsInbox
  private let delivery: RowsDelivery
  /// Whether the core replaced its rows in the last call of `RowsCore.begin(generation:firstID:texts:)`.
  @MainActor private(set) var hasBegun = false

  init(_ core: any RowsCore, byteLimit: Int, delivery: RowsDelivery) {
    self.core = core
    self.delivery = delivery
    inbox = RowsInbox(byteLimit: byteLimit)
  }

  /// Opens the inbox and passes it to the core.
  ///
  /// - Returns: Whether the core accepts the inbox.
  @MainActor
  func activate() -> Bool {
    // The closure captures this engine weakly. Otherwise a thread of the core might release the last
    // reference to the engine and the core, and would have to join itself.
    inbox.open { [weak self] in
      Task { @MainActor [weak self] in self?.drain() }
    }
    return core.activate(inbox)
  }

  // MARK: Editing

  func apply(_ command: RowCommand, generation: Int?) -> Bool {
    core.apply(command)
  }

  func dismissWorkers() {}

  // MARK: Delivering

  func drain() {
    delivery.deliver(taking: { takeBurst(into: $0) }, pulling: { latest })
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
    // A core that has ended or is faulty does not report its rows. Then the table keeps the rows that it
    // shows, and the inbox accepts only edits that fit them.
    return burst ?? inbox.take(into: spare, rows: delivery.shown).burst
  }

  func begin(_ texts: [String]) -> RowsBeginning {
    let (generation, firstID, dropped) = inbox.begin(rowCount: texts.count)
    hasBegun = core.begin(generation: generation, firstID: firstID, texts: texts)
    let rows = texts.enumerated().map { Row(id: firstID + UInt64($0.offset), text: $0.element) }
    return RowsBeginning(generation: generation, rows: snapshot(of: rows), dropped: dropped)
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
