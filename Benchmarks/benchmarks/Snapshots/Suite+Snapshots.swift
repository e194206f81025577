internal import RowTrees
internal import BenchmarkHarness
internal import ViewModels

/// The names of the implementations in the suite "snapshots", as its result tables show them.
enum SnapshotName {
  static let tree = "RowTree"
  static let array = "Array"
  static let nobodyReads = "nobody reads"
  static let readsPublished = "60 readings/s of a Snapshot"
  static let readsBehindLock = "60 readings/s behind the lock"

  static func list(_ name: String, _ rows: String) -> String { "\(name), \(rows) rows" }
}

extension Suite {
  /// Measures the cost of snapshots of a list.
  static var snapshots: Suite {
    Suite(
      name: "snapshots", about: "a list of heap strings that is edited while snapshots of it are alive",
      contests: [editAndSnapshot, strategies, newestRows])
  }

  static let snapshotGroup = "edit and snapshot"
  static let snapshotTitle = "1 thread"
  static let strategyGroup = "row model, 10⁵ rows"
  static let strategyTitle = "4 workers"
  static let newestGroup = "newest rows, 10³ rows"
  static let newestTitle = "8 workers"

  private static let sizes: KeyValuePairs = ["10²": 100, "10⁴": 10_000, "10⁶": 1_000_000]

  private static var editAndSnapshot: Contest {
    let trees = sizes.map { title, count in
      SnapshotTrial<RowTree<String>>(count: count)
        .contestant(named: SnapshotName.list(SnapshotName.tree, title))
    }
    let arrays = sizes.map { title, count in
      SnapshotTrial<[String]>(count: count).contestant(named: SnapshotName.list(SnapshotName.array, title))
    }
    return Contest(
      group: snapshotGroup, title: snapshotTitle, metric: .cost, threads: 1, operationUnit: 1,
      reference: SnapshotName.list(SnapshotName.tree, "10²"), contestants: trees + arrays)
  }

  private static var strategies: Contest {
    Contest(
      group: strategyGroup, title: strategyTitle, metric: .throughput, threads: 4, operationUnit: 4,
      reference: RowsStrategy.tree.rawValue,
      contestants: [RowsStrategy.array, .tree, .delta].map {
        StrategyTrial($0, count: 100_000).contestant(named: $0.rawValue)
      })
  }

  private static var newestRows: Contest {
    Contest(
      group: newestGroup, title: newestTitle, metric: .throughput, threads: 8, operationUnit: 4,
      reference: SnapshotName.nobodyReads,
      contestants: [
        NewestRowsTrial(.none).contestant(named: SnapshotName.nobodyReads),
        NewestRowsTrial(.snapshot).contestant(named: SnapshotName.readsPublished),
        NewestRowsTrial(.lock).contestant(named: SnapshotName.readsBehindLock),
      ])
  }
}
