package import ViewModels

/// The bug `unlock-first`: an engine that releases the lock between an edit and its notification.
///
/// Another edit's notification may then be enqueued before that of this edit.
package final class UnlockFirstRowsEngine: RowsEngine {
  private let engine: any TwoStepRowsEngine
  /// Called after each edit, before its notification is enqueued, with the number of the edit.
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
