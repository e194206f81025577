internal import AtomicProperties
internal import Protectors
internal import Synchronization

/// A model's rows and mailbox without a main actor: whoever wants to takes what waits.
///
/// For measuring what edits cost, with what it takes to deliver them, where the main actor has something else
/// to do.
package final class UnattendedRows: Sendable {
  /// What the main actor has of a model with the strategy `delta`.
  private struct Mirror: Sendable {
    var rows: RowTree<Row>
    /// An empty array that has memory, for the edits of the next burst.
    var spare: [PostedEdit] = []
  }

  private let engine: any LockedEngine
  private let mirror: ExclusiveProtector<Mirror>?
  /// Whether somebody has to take what waits: 1, or 0.
  private let isDue: LockFreeProperty<UInt8>

  /// - Parameters:
  ///   - strategy: Any but `mainActor`.
  ///   - texts: The rows.
  package init(_ strategy: RowsStrategy, _ texts: [String]) {
    var configuration = RowsConfiguration()
    configuration.strategy = strategy
    configuration.backlogBytes = .max / 2
    let delivery = RowsDelivery(configuration)
    let isDue = LockFreeProperty<UInt8>(0)
    let wake: @Sendable () -> Void = { isDue.bitwiseOr(1, ordering: .acquiringAndReleasing) }
    engine =
      strategy == .array
      ? LockedRowsEngine<[Row]>(configuration, delivery: delivery, wake: wake)
      : LockedRowsEngine<RowTree<Row>>(configuration, delivery: delivery, wake: wake)
    let rows = engine.begin(texts).rows
    mirror = strategy == .delta ? ExclusiveProtector(Mirror(rows: rows.tree)) : nil
    self.isDue = isDue
  }

  /// Makes an edit.
  package func apply(_ command: RowCommand) {
    engine.apply(command, generation: nil)
  }

  /// Takes all that waits.
  ///
  /// Changes without rows are applied to the mirror. As with the main actor, one thread does that at a time
  /// and none waits for it: where another is at it, that one takes all that has come meanwhile.
  package func collect() {
    guard let mirror else {
      _ = engine.takeBurst(into: [])
      return
    }
    // Read by a change that changes nothing, to be ordered among the others: either this sees what was posted
    // while the thread was at it, or whoever posted it finds the lock free.
    while isDue.bitwiseOr(0, ordering: .acquiringAndReleasing).newValue == 1 {
      let isMine = mirror.withWriteLockIfAvailable { mirror in
        while isDue.exchange(0) == 1 { applyBurst(to: &mirror) }
      }
      if !isMine { return }
    }
  }

  private func applyBurst(to mirror: inout Mirror) {
    var edits: [PostedEdit] = []
    swap(&edits, &mirror.spare)
    edits = engine.takeBurst(into: edits).edits
    for number in edits.indices {
      // Without a copy of the whole edit.
      if case .delta(let delta) = edits[number].content {
        delta.apply(to: &mirror.rows, at: edits[number].index)
      }
    }
    edits.removeAll(keepingCapacity: true)
    mirror.spare = edits
  }

  /// Whether the rows on both sides are the same, where there are two sides; nothing may wait.
  package var isConsistent: Bool {
    let rows = mirror?.withWriteLock { $0.rows }
    return rows.map { engine.latest.elementsEqual($0) } ?? true
  }
}
