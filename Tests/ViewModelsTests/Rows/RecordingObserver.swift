import ReadWriteLocks
import ViewModels

/// The strategies under test.
enum Strategy: CaseIterable {
  case snapshots, snapshotsBehindAnotherLock, exclusiveSnapshots, mainActor

  var value: RowsStrategy {
    switch self {
    case .snapshots: .snapshots
    case .snapshotsBehindAnotherLock: .snapshots { CompactReadWriteLock() }
    case .exclusiveSnapshots: .exclusiveSnapshots
    case .mainActor: .mainActor
    }
  }
}

extension RowsConfiguration {
  static func testing(
    _ strategy: Strategy = .snapshots, _ change: (inout RowsConfiguration) -> Void = { _ in }
  ) -> RowsConfiguration {
    var configuration = RowsConfiguration()
    configuration.strategy = strategy.value
    change(&configuration)
    return configuration
  }
}

extension RowTree<Row> {
  var texts: [String] { map(\.text) }
}

/// An observer that keeps its notifications, and checks them.
@MainActor
final class RecordingObserver: RowsObserver {
  private(set) var notifications: [RowNotification] = []
  private(set) var restarts: [Int] = []
  private(set) var rule: TableRule
  private(set) var count = 0
  /// Whether to keep the notifications, which keep their rows alive.
  var keepsNotifications = true
  /// Called in each callback of this observer.
  var onCall: @MainActor () -> Void = {}
  /// The number of notifications that were passed to the wrong method, such as a removal to
  /// `rowInserted(_:)`, or that came from another generation.
  private(set) var mismatches = 0
  private var generation: Int

  init(_ model: RowsViewModel) {
    rule = TableRule(model.rows)
    generation = model.generation
    model.observer = self
  }

  func forget() { notifications = [] }

  private func notified(_ notification: RowNotification, _ change: RowChange) {
    rule.check(notification)
    count += 1
    if notification.change != change || notification.generation != generation { mismatches += 1 }
    if keepsNotifications { notifications.append(notification) }
    onCall()
  }

  func rowInserted(_ notification: RowNotification) { notified(notification, .inserted) }
  func rowRemoved(_ notification: RowNotification) { notified(notification, .removed) }
  func rowModified(_ notification: RowNotification) { notified(notification, .modified) }

  func rowsRestarted(_ rows: RowTree<Row>, generation: Int) {
    rule = TableRule(rows)
    restarts.append(generation)
    self.generation = generation
    onCall()
  }

  /// Whether all notifications were right so far.
  var isContent: Bool { rule.violations == 0 && mismatches == 0 }

  func waitForNotifications(_ goal: Int) async {
    while count < goal { await Task.yield() }
  }
}
