/// The engine with the deliberate fault `RowsFault.unlockFirst`: it releases the lock between an edit and its
/// notification.
final class UnlockFirstRowsEngine<Store: RowStore>: RowsEngine {
  private let engine: LockedRowsEngine<Store>
  /// Called after each unlock: the configuration's `afterUnlock`.
  private let afterUnlock: (@Sendable (_ sequence: UInt64) -> Void)?

  init(_ configuration: RowsConfiguration, delivery: RowsDelivery) {
    engine = LockedRowsEngine(configuration, delivery: delivery)
    afterUnlock = configuration.afterUnlock
  }

  func apply(_ command: RowCommand, generation: Int?) -> Bool {
    let applied = engine.section { rows -> (edit: AppliedEdit, content: PostedEdit.Content)? in
      guard rows.admits(generation), let edit = rows.edit(command) else { return nil }
      return (edit, rows.content(of: edit, command))
    }
    guard let applied else { return false }
    afterUnlock?(applied.edit.sequence)
    if engine.section({ $0.post(applied.edit, content: applied.content) }) { engine.scheduleDrain() }
    return true
  }

  func dismissWorkers() { engine.dismissWorkers() }

  func drain() { engine.drain() }

  func begin(_ texts: [String]) -> RowsBeginning { engine.begin(texts) }

  var latest: RowsSnapshot { engine.latest }

  var account: RowsAccount { engine.account }
}
