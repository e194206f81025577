/// How the edits of worker threads get to the main actor.
public enum RowsStrategy: String, Sendable, CaseIterable {
  /// An array behind a lock.
  ///
  /// Each edit while a snapshot is alive copies all rows.
  case array
  /// A `RowTree` behind a lock.
  ///
  /// An edit copies a path of nodes. The default.
  case tree
  /// A `RowTree` behind a lock, without snapshots.
  ///
  /// Edits are sent as changes to a mirror on the main actor, and nothing is copied.
  case delta
  /// One `RowTree` on the main actor, without a lock.
  ///
  /// Workers send commands.
  case mainActor
}
