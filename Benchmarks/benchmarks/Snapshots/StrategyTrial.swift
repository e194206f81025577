internal import BenchmarkHarness
internal import LazyInitialization
internal import ViewModels

/// Measures how fast workers edit the rows of a model.
///
/// Of every four edits, one inserts a row, one removes a row, and two append to the text of a row.
///
/// At the end of a batch, the worker takes the pending notifications, so that the measurement includes the
/// cost of their delivery.
///
/// With the strategy `delta`, the order of the notifications matters. Therefore only one worker at a time
/// takes them, and applies them to a copy of the rows, while the other workers continue to edit.
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
    // The suffix is made only once, so that the measurement does not contain the time for making it.
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
