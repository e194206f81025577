package import ViewModels

/// The bug `unlock-first`: an engine that releases the lock between an edit and its notification.
///
/// The notification of a later edit can then be enqueued before that of an earlier edit.
package final class UnlockFirstRowsEngine: RowsEngine {
  private let engine: any TwoStepRowsEngine
  /// Called with the sequence number of each edit before its notification is enqueued, while the lock is not
  /// held.
  private let afterUnlock: @Sendable (_ sequence: UInt64) -> Void

  package init(
    _ engine: any TwoStepRowsEngine, afterUnlock: @escaping @Sendable (_ sequence: UInt64) -> Void
  ) {
    self.engine = engine
    self.afterUnlock = afterUnlock
  }

  package func apply(_ command: RowCommand, generation: Int?) -> Bool {
    guard let edit = engine.edit(command, generation: generation) else { return false }
    afterUnlock(edit.sequence)
    engine.post(edit)
    return true
  }

  package func dismissWorkers() { engine.dismissWorkers() }

  package func drain() { engine.drain() }

  package func begin(_ texts: [String]) -> RowsBeginning { engine.begin(texts) }

  package var latest: RowsSnapshot { engine.latest }

  package var account: RowsAccount { engine.account }
}
