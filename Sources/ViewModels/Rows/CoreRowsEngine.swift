/// Rows that a core owns, with a mirror of them on the main actor, which is what is shown.
///
/// The edits come through a `RowsInbox`. While they wait in it they take up to a number of bytes; of more,
/// only the number is kept, and a drain reads the rows of the core to compose them. The rows are read and the
/// inbox is emptied in one critical section of the core, so that exactly those edits are in the batch that
/// are in the rows.
final class CoreRowsEngine: RowsEngine {
  private let core: any RowsCore
  private let inbox: RowsInbox
  private let delivery: RowsDelivery
  /// Whether the core has begun the last generation when it was asked to.
  @MainActor private(set) var hasBegun = false

  init(_ core: any RowsCore, byteLimit: Int, delivery: RowsDelivery) {
    self.core = core
    self.delivery = delivery
    inbox = RowsInbox(byteLimit: byteLimit)
  }

  /// Lets the core post edits.
  ///
  /// - Returns: Whether the core agrees.
  @MainActor
  func activate() -> Bool {
    // Weak, so that the last reference to this and to the core is never that of a thread of the core, which
    // could not join itself.
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
    // A core that does not give its rows has ended, or broken its promise: these stay, and what comes later
    // must fit.
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
