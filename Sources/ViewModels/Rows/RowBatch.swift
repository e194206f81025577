/// Everything that happened between two snapshots, in the form that a table can apply at once.
///
/// Rows know who they are, so what any number of edits come to can be read from the rows before and after: a
/// row that is in one of them was removed or inserted, one that is in both and differs was modified, and one
/// that came and went was not. This is the same as to compose the edits one by one, and takes no memory for
/// them.
///
/// The indices are those of a table's batch updates and of `CollectionDifference`: removals by the index
/// before the batch, insertions by the index after it, modifications by both. Kept rows never change their
/// order.
public struct RowBatch: Sendable {
  /// The indices, in `before`, of rows that are gone; ascending.
  public private(set) var removals: [Int] = []
  /// The indices, in `after`, of rows that are new; ascending.
  public private(set) var insertions: [Int] = []
  /// Rows whose text is another one; ascending.
  public private(set) var modifications: [Modification] = []
  /// The rows before the first edit.
  public let before: RowsSnapshot
  /// The rows after the last edit.
  public let after: RowsSnapshot
  /// The numbers of the edits that it is composed of.
  public let sequences: ClosedRange<UInt64>
  /// The generation of the rows.
  public let generation: Int

  /// A row that is in both snapshots and differs.
  public struct Modification: Sendable, Equatable {
    /// Its index in `before`.
    public let oldIndex: Int
    /// Its index in `after`.
    public let newIndex: Int
  }

  /// How many rows it concerns.
  public var count: Int { removals.count + insertions.count + modifications.count }

  /// Composes what happened between two snapshots of one generation.
  ///
  /// - Complexity: O(*n*); runs of rows that both snapshots have in the same memory are passed over.
  init(from before: RowsSnapshot, to after: RowsSnapshot, sequences: ClosedRange<UInt64>, generation: Int) {
    self.before = before
    self.after = after
    self.sequences = sequences
    self.generation = generation
    var (olds, news) = (before.makeIterator(), after.makeIterator())
    var (oldIndex, newIndex) = (0, 0)
    var (old, new) = (olds.next(), news.next())
    while old != nil || new != nil {
      if let row = new, old == nil || row.id >= before.nextID {
        insertions.append(newIndex)
      } else if old?.id != new?.id {
        removals.append(oldIndex)
        oldIndex += 1
        old = olds.next()
        continue
      } else {
        if old != new { modifications.append(Modification(oldIndex: oldIndex, newIndex: newIndex)) }
        let skipped = olds.skip(sharedWith: &news)
        oldIndex += skipped + 1
        newIndex += skipped
        old = olds.next()
      }
      newIndex += 1
      new = news.next()
    }
  }

  /// The rows that come of `before` when the batch is applied to it, the way a table does.
  ///
  /// - Complexity: O(*k* log *n*) for *k* rows that it concerns; O(*n*) more with the strategy `array`.
  public func replayed() -> RowsSnapshot {
    var rows = before.tree
    replay(on: &rows) { _, _, _, _ in }
    return RowsSnapshot(storage: .tree(rows), nextID: after.nextID)
  }

  /// Applies the batch to the rows before it, one row after another.
  ///
  /// - Parameters:
  ///   - rows: The rows before, then those after.
  ///   - body: Called after each step with what happened.
  func replay(
    on rows: inout RowTree<Row>,
    _ body: (_ change: RowChange, _ index: Int, _ row: Row, _ rows: RowTree<Row>) -> Void
  ) {
    // From the end, so that what is still to be removed keeps its index.
    for index in removals.reversed() {
      let row = rows.remove(at: index)
      body(.removed, index, row, rows)
    }
    // From the beginning: when a row is put in, all before it are there.
    for index in insertions {
      let row = after[index]
      rows.insert(row, at: index)
      body(.inserted, index, row, rows)
    }
    for modification in modifications {
      let row = after[modification.newIndex]
      rows.replace(at: modification.newIndex, with: row)
      body(.modified, modification.newIndex, row, rows)
    }
  }
}

extension RowsSnapshot {
  /// The rows as a tree; a new one where they are an array.
  var tree: RowTree<Row> {
    switch storage {
    case .array(let rows): RowTree(rows)
    case .tree(let rows): rows
    }
  }
}
