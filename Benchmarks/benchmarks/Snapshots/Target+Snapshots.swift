internal import BenchmarkHarness
internal import ViewModels

extension Target {
  static var snapshots: [Target] {
    func list(_ name: String, _ rows: String) -> Path {
      Path("snapshots", Suite.snapshotGroup, Suite.snapshotTitle, SnapshotName.list(name, rows))
    }
    func strategy(_ strategy: RowsStrategy) -> Path {
      Path("snapshots", Suite.strategyGroup, Suite.strategyTitle, strategy.rawValue)
    }
    let (tree, array) = (SnapshotName.tree, SnapshotName.array)
    return [
      Target(
        "edit and snapshot: RowTree, 10⁶ / 10² rows, time",
        .ratio(list(tree, "10⁶"), over: list(tree, "10²")), .atMost(10)),
      Target(
        "edit and snapshot, 10⁶ rows: Array / RowTree, time",
        .ratio(list(array, "10⁶"), over: list(tree, "10⁶")), .atLeast(1_000)),
      Target(
        "row model, 4 workers: tree / array, edits", .ratio(strategy(.tree), over: strategy(.array)),
        .atLeast(300)),
      Target(
        "row model, 4 workers: delta / tree, edits", .ratio(strategy(.delta), over: strategy(.tree)),
        .atLeast(5)),
    ]
  }
}
