internal import BenchmarkHarness
internal import LazyInitialization
internal import ViewModels

/// Workers that edit the rows of a model: as many insertions as removals, and twice as many modifications.
///
/// At the end of each batch a worker takes what waits for the main actor, so that all that an edit costs
/// until it is delivered is in the measurement. With `delta`, which has to apply it in order, one worker does
/// that at a time, until nothing waits; the others go on, as they do while the main actor is at it.
final class StrategyTrial: Sendable {
  private let rows: Lazy<UnattendedRows>

  init(_ strategy: RowsStrategy, count: Int) {
    rows = Lazy { UnattendedRows(strategy, SnapshotTexts.make(count)) }
  }

  func contestant(named name: String) -> Contestant {
    Contestant(
      name: name, batch: edit,
      audit: {
        let rows = self.rows.value
        rows.collect()
        return rows.isConsistent ? nil : "the rows on the two sides differ"
      })
  }

  @Sendable
  private func edit(worker: Int, operations: Int) -> Int {
    let rows = rows.value
    var random = SeededRandom(seed: UInt64(worker), stream: operations)
    // Made once, because the making of texts is not what is measured.
    let suffix = "-\(worker)"
    for operation in 0..<operations {
      let position = RowPosition.share(random.next())
      switch operation % 4 {
      case 0: rows.apply(.insert("another row, also on the heap", position))
      case 2: rows.apply(.remove(position))
      default: rows.apply(.append(suffix, position))
      }
    }
    rows.collect()
    return operations
  }
}
