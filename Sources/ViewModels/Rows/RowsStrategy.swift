/// How the edits of worker threads get to the main actor.
public enum RowsStrategy: String, Sendable, CaseIterable {
  /// An array behind a lock.
  ///
  /// An edit copies all rows if a snapshot shares them.
  case array
  /// A `RowTree` behind a lock: the default.
  ///
  /// An edit copies the nodes on the path from the root to one leaf if a snapshot shares them.
  case tree
  /// A `RowTree` behind a lock, without snapshots in notifications.
  ///
  /// An edit sends its change to the main actor, which applies the change to a second `RowTree`.
  case delta
  /// One `RowTree` on the main actor, without a lock.
  ///
  /// Workers send commands to the main actor, which makes the edits.
  case mainActor
}
