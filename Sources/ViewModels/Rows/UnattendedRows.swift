internal import AtomicProperties
internal import Protectors
internal import Synchronization

/// A model's rows and mailbox without a main actor: any thread may take the waiting edits.
///
/// It measures the cost of edits together with their delivery, in benchmarks that need the main actor for
/// other work.
package final class UnattendedRows: Sendable {
  /// The mirror of a model with the strategy `delta`, which the main actor otherwise has.
  private struct Mirror: Sendable {
    var rows: RowTree<Row>
    /// An empty array with capacity, for the edits of the next burst.
    var spare: [PostedEdit] = []
  }

  private let engine: any LockedEngine
  private let mirror: ExclusiveProtector<Mirror>?
  /// Whether edits wait to be taken: 1, or 0.
  private let isDue: LockFreeProperty<UInt8>

  /// Makes a model.
  ///
  /// - Parameters:
  ///   - strategy: Any strategy except `mainActor`.
  ///   - texts: The texts of the rows.
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

  /// Takes all waiting edits.
  ///
  /// With the strategy `delta` it applies them to the mirror. One thread does that at a time, and no thread
  /// waits for it. If another thread is doing it, that thread also takes the edits that came meanwhile.
  package func collect() {
    guard let mirror else {
      _ = engine.takeBurst(into: [])
      return
    }
    // The flag is read by a read-modify-write, so that the read is ordered among the other changes. Either
    // this thread sees what was posted while it applied edits, or the posting thread finds the lock free.
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
      // This pattern does not copy the whole edit.
      if case .delta(let delta) = edits[number].content {
        delta.apply(to: &mirror.rows, at: edits[number].index)
      }
    }
    edits.removeAll(keepingCapacity: true)
    mirror.spare = edits
  }

  /// Whether the rows and the mirror, if there is one, are equal.
  ///
  /// No edit may be waiting.
  package var isConsistent: Bool {
    let rows = mirror?.withWriteLock { $0.rows }
    return rows.map { engine.latest.elementsEqual($0) } ?? true
  }
}
