/// A table that applies each change to its own rows, and compares these with the core's.
@MainActor
package final class CoreTable {
  package private(set) var rows: [CoreRow] = []
  package private(set) var changes = 0
  /// The number of changes after which the rows were not those of the change's snapshot.
  package private(set) var violations = 0

  package init() {}

  package func receive(_ change: CoreChange) {
    changes += 1
    switch change.kind {
    case .inserted: rows.insert(change.rows[change.index], at: change.index)
    case .removed: rows.remove(at: change.index)
    case .modified: rows[change.index] = change.rows[change.index]
    }
    if !rows.elementsEqual(change.rows) { violations += 1 }
  }
}
