internal import RowTrees

/// The difference between two snapshots, in the form that a table applies as one batch.
///
/// Rows have identities, so the combined effect of any number of edits follows from the rows before and
/// after. A row that is missing after the edits was removed. A row that is missing before them was inserted.
/// A row in both snapshots with different texts was modified. A row that was inserted and removed again does
/// not appear. So the edits themselves need not be stored.
///
/// The indices are those of a table's batch updates and of `CollectionDifference`: the index before the batch
/// for removals, the index after it for insertions, and both for modifications. Kept rows never change their
/// order.
public struct RowBatch: Sendable {
  /// The indices in `before` of the removed rows, ascending.
  public private(set) var removals: [Int] = []
  /// The indices in `after` of the inserted rows, ascending.
  public private(set) var insertions: [Int] = []
  /// The rows that are in both snapshots with different texts, in ascending order of their indices.
  public private(set) var modifications: [Modification] = []
  /// The rows before the first edit.
  public let before: RowsSnapshot
  /// The rows after the last edit.
  public let after: RowsSnapshot
  /// The numbers of the edits that the batch combines.
  public let sequences: ClosedRange<UInt64>
  /// The number of the generation to which the rows belong (see `RowsViewModel`).
  ///
  /// It grows by 1 each time the model is started again.
  public let generation: Int

  /// A row that is in both snapshots with different texts.
  public struct Modification: Sendable, Equatable {
    /// The row's index in `before`.
    public let oldIndex: Int
    /// The row's index in `after`.
    public let newIndex: Int
  }

  /// The number of rows that are removed, inserted or modified.
  public var count: Int { removals.count + insertions.count + modifications.count }

  /// Computes the difference between two snapshots of the same generation (see `RowsViewModel`).
  ///
  /// - Complexity: O(*n*). Nodes of a `RowTree` that both snapshots share are skipped.
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

  /// Applies the batch to `before`, as a table does, and returns the resulting rows.
  ///
  /// - Complexity: O(*k* log *n*) for *k* rows of the batch; O(*n*) more with the strategy `array`.
  public func replayed() -> RowsSnapshot {
    var rows = before.tree
    replay(on: &rows) { _, _, _, _ in }
    return RowsSnapshot(storage: .tree(rows), nextID: after.nextID)
  }

  /// Applies the changes of the batch to `rows`, one after another.
  ///
  /// - Parameters:
  ///   - rows: The rows before the batch. They become the rows after the batch.
  ///   - body: Called after each removal, insertion or modification of a row, with the rows at that moment.
  func replay(
    on rows: inout RowTree<Row>,
    _ body: (_ change: RowChange, _ index: Int, _ row: Row, _ rows: RowTree<Row>) -> Void
  ) {
    // Rows are removed in descending order, so that the rows still to be removed keep their index.
    for index in removals.reversed() {
      let row = rows.remove(at: index)
      body(.removed, index, row, rows)
    }
    // Rows are inserted in ascending order, so that all rows before a new row are already in place.
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
  /// The rows as a tree.
  ///
  /// If the rows are stored as an array, a tree is made from it.
  var tree: RowTree<Row> {
    switch storage {
    case .array(let rows): RowTree(rows)
    case .tree(let rows): rows
    }
  }
}
