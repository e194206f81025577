internal import RowTrees
internal import AtomicProperties
internal import Protectors
internal import Synchronization

/// A model's rows and mailbox without a main actor: any thread may take the waiting edits.
///
/// Benchmarks use it to measure the cost of edits and their delivery without the main actor.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
package final class UnattendedRows: Sendable {
  /// A copy of the rows to which `collect()` applies the edits, as the main actor does with the strategy
  /// `delta`.
  private struct Mirror: Sendable {
    var rows: RowTree<Row>
    /// An empty array whose capacity is reused for the edits that are taken next.
    var spare: [PostedEdit] = []
  }

  private let engine: any LockedEngine
  private let mirror: ExclusiveProtector<Mirror>?
  /// 1 if edits wait to be taken, otherwise 0; an integer, because it is read by `bitwiseOr`.
  private let isDue: LockFreeProperty<UInt8>

  /// Makes rows without a main actor.
  ///
  /// - Parameters:
  ///   - strategy: The strategy; `mainActor` has the same effect as `tree`.
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

  /// The rows after the last edit; reading them acquires their lock.
  package var latest: RowsSnapshot { engine.latest }

  /// Takes all waiting edits.
  ///
  /// With the strategy `delta` it also applies the edits to `mirror`, a copy of the rows. Only one thread at
  /// a time applies edits, including those that are posted meanwhile. Other callers return without waiting
  /// for that thread.
  package func collect() {
    guard let mirror else {
      _ = engine.takeBurst(into: [])
      return
    }
    // Reads the flag by a read-modify-write that changes nothing. With a plain load, this thread could miss
    // an edit whose thread finds the mirror's lock still taken. Then neither thread would apply that edit.
    // Read-modify-writes of the flag have a total order: either this thread reads 1, or the other thread
    // finds the lock free.
    while isDue.bitwiseOr(0, ordering: .acquiringAndReleasing).newValue == 1 {
      let isMine = mirror.withLockIfAvailable { mirror in
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
      // Matches the change in place, because a variable for the whole edit would copy the edit.
      if case .delta(let delta) = edits[number].content {
        delta.apply(to: &mirror.rows, at: edits[number].index)
      }
    }
    edits.removeAll(keepingCapacity: true)
    mirror.spare = edits
  }

  /// Whether the mirror equals the rows; `true` if there is no mirror.
  ///
  /// Must be called only while no edit waits to be taken, because the mirror lacks waiting edits.
  package var isConsistent: Bool {
    let rows = mirror?.withLock { $0.rows }
    return rows.map { engine.latest.elementsEqual($0) } ?? true
  }
}
