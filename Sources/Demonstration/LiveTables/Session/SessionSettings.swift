package import ViewModels

/// What a run is made of.
package struct SessionSettings: Sendable {
  package var strategy = RowsStrategy.tree
  package var bug = Options.Bug.none
  /// How many times faster than 1 to 4 seconds for an edit the workers are.
  package var speed = 1.0
  /// What the workers' choices come from.
  package var seed: UInt64
  /// What each generation begins with.
  package var initialRows: [String]

  package init(seed: UInt64, initialRows: [String]) {
    self.seed = seed
    self.initialRows = initialRows
  }
}
