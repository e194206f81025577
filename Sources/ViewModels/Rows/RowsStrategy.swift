/// How rows that threads edit come to the main actor.
public enum RowsStrategy: String, Sendable, CaseIterable {
  /// An array behind a lock; each edit while a snapshot is alive copies all rows.
  case array
  /// A `RowTree` behind a lock; an edit copies a path of nodes. The one to take.
  case tree
  /// A `RowTree` behind a lock that nobody else sees; edits are sent as changes to a mirror on the main
  /// actor, and nothing is copied.
  case delta
  /// One `RowTree` on the main actor and no lock around it; workers send what they want done.
  case mainActor
}
