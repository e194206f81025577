/// Rows that are edited in place, with snapshots.
protocol RowStore: Sendable {
  init(_ rows: [Row])
  var count: Int { get }
  mutating func insert(_ row: Row, at index: Int)
  mutating func remove(at index: Int) -> Row
  subscript(index: Int) -> Row { get set }
  /// The current rows.
  var storage: RowsSnapshot.Storage { get }
  /// The memory that an edit after a snapshot takes, and that is freed with the snapshot.
  var bytesPerSnapshot: Int { get }
}

extension [Row]: RowStore {
  var storage: RowsSnapshot.Storage { .array(self) }

  var bytesPerSnapshot: Int { (count + 1) * MemoryLayout<Row>.stride * 2 + 64 }
}

extension RowTree<Row>: RowStore {
  var storage: RowsSnapshot.Storage { .tree(self) }

  var bytesPerSnapshot: Int { bytesOfPath }
}
