/// The implementation of a `RowsStrategy`.
///
/// `RowsViewModel` and its workers call it.
package protocol RowsEngine: AnyObject, Sendable {
  /// Makes an edit, on any thread.
  ///
  /// - Parameters:
  ///   - command: The edit.
  ///   - generation: The number of the generation (see `RowsViewModel`) of the worker that makes the edit.
  ///     Other callers pass `nil` to edit the current generation.
  /// - Returns: `true` if the edit was made; `false` if the command's position does not exist, or the
  ///   worker's generation has ended. With the strategy `mainActor`, calls on threads other than the main
  ///   thread return `true` as soon as the command waits for the main actor.
  @discardableResult
  func apply(_ command: RowCommand, generation: Int?) -> Bool

  /// Makes `apply` return `false` for workers of the current generation, also for those that wait in it.
  ///
  /// Does nothing if a `RowsCore` runs the workers.
  func dismissWorkers()

  /// Wakes callers of `apply` that wait to make an edit, and lets no caller wait from now on.
  ///
  /// Calls of `apply` that were waiting return `false`. The model must call this when it ends.
  func close()

  /// Delivers all waiting edits.
  @MainActor func drain()

  /// Drops all waiting edits, and begins a generation (see `RowsViewModel`) whose rows have these texts.
  @MainActor func begin(_ texts: [String]) -> RowsBeginning

  /// The rows after the last edit.
  @MainActor var latest: RowsSnapshot { get }

  /// The counters.
  @MainActor var account: RowsAccount { get }
}

extension RowsEngine {
  // Does nothing: most engines never make a caller of `apply` wait.
  package func close() {}
}

/// An engine whose rows are behind a lock, so that any thread may call these functions.
protocol LockedEngine: RowsEngine {
  /// Takes all waiting edits.
  ///
  /// - Parameter spare: An empty array, whose capacity is reused for later edits.
  func takeBurst(into spare: [PostedEdit]) -> RowsBurst

  nonisolated func begin(_ texts: [String]) -> RowsBeginning

  nonisolated var latest: RowsSnapshot { get }
}

/// An engine that can make an edit in one critical section and enqueue its notification in another.
///
/// Only engines that are wrong on purpose need it (see `RowsViewModel.init(_:wrapping:)`).
package protocol TwoStepRowsEngine: RowsEngine {
  /// Makes an edit as `apply(_:generation:)` does, but does not enqueue its notification.
  ///
  /// - Returns: The edit, which the caller must pass to `post(_:)`; `nil` if it was not made.
  func edit(_ command: RowCommand, generation: Int?) -> UnpostedEdit?

  /// Enqueues the notification of an edit that `edit(_:generation:)` has made.
  func post(_ edit: UnpostedEdit)
}

/// An edit that has been made, and its notification, which has not been enqueued yet.
package struct UnpostedEdit: Sendable {
  let edit: AppliedEdit
  let content: PostedEdit.Content

  /// The number of the edit.
  package var sequence: UInt64 { edit.sequence }
}

/// The beginning of a generation.
package struct RowsBeginning: Sendable {
  let generation: Int
  let rows: RowsSnapshot
  /// The number of edits that were dropped without a notification, because the model was started again.
  let dropped: Int
}

/// The counters of an engine.
package struct RowsAccount: Sendable {
  var posted = RowCounts()
  var postedInGeneration = RowCounts()
  /// The number of edits that were made, and wait to be delivered on the main actor.
  var queued = 0
  /// The number of commands that wait for the main actor and have not been executed yet.
  var commands = 0
  var mostQueued = 0
  var lockHolds: LockHolds?
}
