/// How a strategy does its work: what `RowsViewModel` and its workers call.
protocol RowsEngine: AnyObject, Sendable {
  /// Makes an edit, on any thread.
  ///
  /// - Parameters:
  ///   - command: The edit.
  ///   - generation: The generation of the worker that makes it; `nil` for everybody else, whose edit belongs
  ///     to the one that is.
  /// - Returns: Whether there was such a row; with `mainActor` on another thread, whether the command was taken.
  @discardableResult
  func apply(_ command: RowCommand, generation: Int?) -> Bool

  /// Lets no worker of any generation so far make another edit, and none wait for anything.
  func dismissWorkers()

  /// Delivers all that waits.
  @MainActor func drain()

  /// Forgets all that waits, and starts again.
  @MainActor func begin(_ texts: [String]) -> RowsBeginning

  /// The rows after the last edit.
  @MainActor var latest: RowsSnapshot { get }

  /// What has happened so far.
  @MainActor var account: RowsAccount { get }
}

/// An engine whose rows any thread may ask for.
protocol LockedEngine: RowsEngine {
  /// Takes all that waits.
  ///
  /// - Parameter spare: An empty array that may have memory for the edits to come.
  func takeBurst(into spare: [PostedEdit]) -> RowsBurst

  nonisolated func begin(_ texts: [String]) -> RowsBeginning

  nonisolated var latest: RowsSnapshot { get }
}

/// The beginning of a generation.
struct RowsBeginning: Sendable {
  let generation: Int
  let rows: RowsSnapshot
  /// Edits of the generation before that nobody was notified of.
  let dropped: Int
}

/// What an engine has counted.
struct RowsAccount: Sendable {
  var posted = RowCounts()
  var postedInGeneration = RowCounts()
  /// Edits that wait for the main actor.
  var queued = 0
  /// Commands that wait for the main actor, which are no edits yet.
  var commands = 0
  var mostQueued = 0
  var lockHolds: LockHolds?
}
