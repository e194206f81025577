import ViewModels

/// An observer that keeps its notifications, and checks them.
///
/// The rows of a notification must be the earlier rows with the one change applied (the table rule).
@MainActor
final class RecordingObserver: RowsObserver {
  private(set) var notifications: [RowNotification] = []
  private(set) var batches: [RowBatch] = []
  private(set) var restarts: [Int] = []
  private(set) var mirror: RowsMirror
  let prefersBatches: Bool
  /// Whether to keep the notifications, which keep their snapshots alive.
  var keepsNotifications = true
  /// Called in each callback of this observer.
  var onCall: @MainActor () -> Void = {}

  init(_ model: RowsViewModel, prefersBatches: Bool = false) {
    mirror = RowsMirror(model.rows)
    self.prefersBatches = prefersBatches
    model.observer = self
  }

  /// Releases the notifications and their snapshots.
  func forget() {
    notifications = []
    batches = []
  }

  private func notified(_ notification: RowNotification, _ change: RowChange) {
    mirror.apply(notification)
    if notification.change != change { mismatches += 1 }
    if keepsNotifications { notifications.append(notification) }
    onCall()
  }

  /// The number of notifications that were passed to the wrong method, such as a removal to
  /// `rowInserted(_:)`.
  private(set) var mismatches = 0

  func rowInserted(_ notification: RowNotification) { notified(notification, .inserted) }
  func rowRemoved(_ notification: RowNotification) { notified(notification, .removed) }
  func rowModified(_ notification: RowNotification) { notified(notification, .modified) }

  func rowsChanged(_ batch: RowBatch) {
    mirror.apply(batch)
    batches.append(batch)
    onCall()
  }

  func rowsRestarted(_ rows: RowsSnapshot, generation: Int) {
    mirror.restart(rows)
    restarts.append(generation)
    onCall()
  }

  /// Whether all notifications were right so far.
  var isContent: Bool { mirror.violations == 0 && mirror.sequenceGaps == 0 && mismatches == 0 }
}

/// Makes configurations for tests, in which the model checks its notifications (`audits`).
extension RowsConfiguration {
  static func testing(
    _ strategy: RowsStrategy = .tree, _ change: (inout RowsConfiguration) -> Void = { _ in }
  ) -> RowsConfiguration {
    var configuration = RowsConfiguration()
    configuration.strategy = strategy
    configuration.audits = true
    change(&configuration)
    return configuration
  }
}

extension RowsSnapshot {
  var texts: [String] { map(\.text) }
}
