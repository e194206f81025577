internal import RowTrees

/// A list of rows that is edited in place and provides snapshots.
protocol RowStore: Sendable {
  init(_ rows: [Row])
  var count: Int { get }
  mutating func insert(_ row: Row, at index: Int)
  mutating func remove(at index: Int) -> Row
  subscript(index: Int) -> Row { get set }
  /// The current rows, in the form that a snapshot stores.
  var storage: RowsSnapshot.Storage { get }
  /// The maximum memory, in bytes, that an edit copies if a snapshot shares the rows.
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
