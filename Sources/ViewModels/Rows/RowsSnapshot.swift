internal import RowTrees
internal import AtomicProperties

/// The rows of a model after one change; immutable.
///
/// Copies share the memory of the rows. Several threads may read a snapshot at the same time.
public struct RowsSnapshot: Sendable {
  enum Storage: Sendable {
    case array([Row])
    case tree(RowTree<Row>)
  }

  var storage: Storage
  /// The identity of the next inserted row.
  ///
  /// It is greater than the identities of all rows in the snapshot.
  var nextID: UInt64
  /// Counts this snapshot as live; `nil` if snapshots are not counted.
  var life: SnapshotLife?

  /// A snapshot without rows.
  static var empty: RowsSnapshot { RowsSnapshot(storage: .tree([]), nextID: 0) }

  /// A hash of all rows in their order.
  ///
  /// Equal rows have equal fingerprints, in all processes. Different rows have equal fingerprints with a
  /// probability of about 2⁻⁶⁴. The hash function is FNV-1a (Fowler, Noll, Vo).
  ///
  /// - Complexity: O(*n*) in the length of all texts.
  public var fingerprint: UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for row in self {
      for shift in stride(from: 0, to: 64, by: 8) {
        Self.mix(UInt8(truncatingIfNeeded: row.id >> shift), into: &hash)
      }
      for byte in row.text.utf8 { Self.mix(byte, into: &hash) }
      Self.mix(0xff, into: &hash)
    }
    return hash
  }

  private static func mix(_ byte: UInt8, into hash: inout UInt64) {
    hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
  }
}

extension RowsSnapshot: RandomAccessCollection {
  /// The position of the first row: 0.
  public var startIndex: Int { 0 }

  /// The position after the last row: `count`.
  public var endIndex: Int { count }

  /// The number of rows.
  ///
  /// - Complexity: O(1).
  public var count: Int {
    switch storage {
    case .array(let rows): rows.count
    case .tree(let rows): rows.count
    }
  }

  /// The row at an index.
  ///
  /// - Parameter index: The index of a row; anything else traps.
  /// - Complexity: O(log *n*); O(1) with the strategy `array`.
  public subscript(index: Int) -> Row {
    switch storage {
    case .array(let rows): rows[index]
    case .tree(let rows): rows[index]
    }
  }

  /// Makes an iterator over the rows in order.
  ///
  /// - Complexity: O(1) for this call, and O(*n*) to read all rows.
  public func makeIterator() -> Iterator {
    switch storage {
    case .array(let rows): Iterator(array: rows.makeIterator(), tree: nil)
    case .tree(let rows): Iterator(array: nil, tree: rows.makeIterator())
    }
  }

  /// Calls `body` with each row of a range in order, until `body` returns false; copies no rows.
  ///
  /// - Parameters:
  ///   - range: Indices of rows; anything else traps.
  ///   - body: Called with each row and its index; returns whether to continue.
  package func visit(_ range: Range<Int>, _ body: (_ index: Int, _ row: borrowing Row) -> Bool) {
    switch storage {
    case .array(let rows):
      for index in range where !body(index, rows[index]) { return }
    case .tree(let rows): rows.visit(range, body)
    }
  }

  /// An iterator over the rows of a snapshot.
  public struct Iterator: IteratorProtocol {
    // Exactly one of `array` and `tree` is set, depending on how the snapshot stores its rows.
    var array: IndexingIterator<[Row]>?
    var tree: RowTree<Row>.Iterator?

    /// The next row; `nil` after the last one.
    public mutating func next() -> Row? {
      array == nil ? tree?.next() : array?.next()
    }

    /// Skips rows that both iterators are about to read, and that both snapshots share in memory.
    ///
    /// - Returns: The number of rows that each iterator has skipped.
    mutating func skip(sharedWith other: inout Iterator) -> Int {
      tree == nil || other.tree == nil ? 0 : tree!.skipLeaves(sharedWith: &other.tree!)
    }
  }
}

extension RowsSnapshot: Equatable {
  /// Whether two snapshots have the same rows in the same order.
  ///
  /// - Complexity: O(*n*).
  public static func == (left: RowsSnapshot, right: RowsSnapshot) -> Bool {
    left.count == right.count && left.elementsEqual(right)
  }
}

/// Counts one snapshot as live for as long as this object exists.
///
/// The snapshot and its copies share the object, which is released with the last copy.
final class SnapshotLife: Sendable {
  /// The memory of one object, in bytes.
  static var bytes: Int { 48 }

  private let count: AtomicProperty<Int>

  init(in count: AtomicProperty<Int>) {
    self.count = count
    count.value += 1
  }

  deinit {
    count.value -= 1
  }
}
