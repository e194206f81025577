internal import BenchmarkHarness
internal import LazyInitialization
internal import Snapshots
internal import Synchronization
internal import ThreadSupport
internal import ViewModels

/// Measures how fast workers edit rows while one of them reads all rows 60 times a second.
final class NewestRowsTrial: Sendable {
  /// How the rows get to the reader.
  enum Way {
    /// No thread reads.
    case none
    /// The reader publishes the rows after each of its batches, and reads the published rows without a lock.
    case snapshot
    /// The reader takes a snapshot of the rows while it holds their lock.
    case lock
  }

  private static let rowCount = 1_000
  /// The time between two readings, in nanoseconds: a sixtieth of a second.
  private static let interval: UInt64 = 1_000_000_000 / 60

  private struct Rows {
    let edited: UnattendedRows
    let published: Snapshot<RowsSnapshot>
  }

  private let way: Way
  private let rows: Lazy<Rows>
  private let lastReading = Atomic<UInt64>(0)

  init(_ way: Way) {
    self.way = way
    rows = Lazy {
      let edited = UnattendedRows(.tree, SnapshotTexts.make(Self.rowCount))
      return Rows(edited: edited, published: Snapshot(edited.latest))
    }
  }

  func contestant(named name: String) -> Contestant {
    Contestant(name: name) { worker, operations in
      let rows = self.rows.value
      let sum = worker == 0 ? self.readIfDue(rows) : 0
      var random = SeededRandom(seed: UInt64(worker), stream: operations)
      for operation in 0..<operations {
        let text = SnapshotTexts.replacements[operation % SnapshotTexts.replacements.count]
        let position = RowPosition.share(random.next())
        // As many rows are removed as inserted.
        rows.edited.apply(operation.isMultiple(of: 2) ? .insert(text, position) : .remove(position))
      }
      rows.edited.collect()
      if worker == 0, self.way == .snapshot { rows.published.publish(rows.edited.latest) }
      return sum &+ operations
    }
  }

  /// Reads all rows if `interval` has passed since the last reading; returns the total length of the texts,
  /// in bytes, or 0 if it reads nothing.
  ///
  /// Worker 0 must call this method once in each batch.
  private func readIfDue(_ rows: Rows) -> Int {
    let now = MonotonicClock.now
    guard now &- lastReading.load(ordering: .relaxed) >= Self.interval else { return 0 }
    lastReading.store(now, ordering: .relaxed)
    func length(_ rows: RowsSnapshot) -> Int { rows.reduce(0) { $0 &+ $1.text.utf8.count } }
    return switch way {
    case .none: 0
    case .snapshot: rows.published.withCurrent { length($0) }
    case .lock: length(rows.edited.latest)
    }
  }
}
