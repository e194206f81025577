package import ViewModels

/// The settings of a run.
package struct SessionSettings: Sendable {
  package var strategy = RowsStrategy.tree
  /// The kind of lock that guards the rows, if the model owns the rows.
  package var lock = RowsLock.biased
  /// The code in another language that owns the rows, called the core; `nil` if the model owns the rows.
  package var core: ForeignCore?
  package var bug = Options.Bug.none
  /// The speed of the workers, which sleep 1 to 4 seconds divided by the speed between two edits; must be
  /// positive.
  package var speed = 1.0
  /// The seed of the workers' random choices.
  package var seed: UInt64
  /// The texts of the initial rows, which each restart puts back.
  package var initialRows: [String]

  package init(seed: UInt64, initialRows: [String]) {
    self.seed = seed
    self.initialRows = initialRows
  }

  /// The strategy as the user sees it.
  ///
  /// If a core owns the rows, this is the language of the core. Otherwise it is the name of `strategy`, with
  /// the name of the lock if that is not the default.
  var strategyName: String {
    core.map { "core \($0.language.rawValue)" }
      ?? strategy.rawValue + (lock == .biased ? "" : " behind \(lock.rawValue)")
  }
}
