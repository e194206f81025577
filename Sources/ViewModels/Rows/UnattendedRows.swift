internal import Protectors

/// A model's rows and mailbox without a main actor: whoever wants to takes what waits.
///
/// For measuring what edits cost, with what it takes to deliver them, where the main actor has something else
/// to do.
package final class UnattendedRows: Sendable {
  private let engine: any LockedEngine
  /// The rows of the strategy `delta` on the side of the table, which also keeps bursts in order.
  private let mirror: ExclusiveProtector<RowTree<Row>>

  /// - Parameters:
  ///   - strategy: Any but `mainActor`.
  ///   - texts: The rows.
  package init(_ strategy: RowsStrategy, _ texts: [String]) {
    var configuration = RowsConfiguration()
    configuration.strategy = strategy
    configuration.backlogBytes = .max / 2
    let delivery = RowsDelivery(configuration)
    engine =
      strategy == .array
      ? LockedRowsEngine<[Row]>(configuration, delivery: delivery) {}
      : LockedRowsEngine<RowTree<Row>>(configuration, delivery: delivery) {}
    let rows = engine.begin(texts).rows
    mirror = ExclusiveProtector(strategy == .delta ? rows.tree : [])
  }

  /// Makes an edit.
  package func apply(_ command: RowCommand) {
    engine.apply(command, generation: nil)
  }

  /// Takes all that waits, and applies it to the mirror where they are changes without rows.
  ///
  /// - Returns: How many edits that were.
  @discardableResult
  package func collect() -> Int {
    let burst = mirror.withWriteLock { mirror in
      let burst = engine.takeBurst(into: [])
      for edit in burst.edits {
        if case .delta(let delta) = edit.content { _ = delta.apply(to: &mirror, at: edit.index) }
      }
      return burst
    }
    return burst.count
  }

  /// Whether the rows on both sides are the same, where there are two sides; nothing may wait.
  package var isConsistent: Bool {
    let rows = mirror.withWriteLock { $0 }
    return rows.isEmpty || engine.latest.elementsEqual(rows)
  }
}
