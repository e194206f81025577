internal import ViewModels

/// The table that observes the model, marks changed rows, and checks each notification.
@MainActor
final class Table: RowsObserver {
  /// The rows, computed from the notifications alone; the audit compares them with the model's rows.
  private(set) var mirror: RowsMirror
  private(set) var changes = RecentChanges(lifetime: 20)

  private let recorder: Recorder?
  /// With the deliberate bug `pull`, the model whose newest rows replace the rows of each notification;
  /// otherwise `nil`.
  private weak var pulled: RowsViewModel?

  /// Makes a table.
  ///
  /// - Parameters:
  ///   - rows: The rows before the first notification.
  ///   - recorder: Records the notifications.
  ///   - pulled: With the deliberate bug `pull`, the model whose newest rows replace those of each
  ///     notification; otherwise `nil`.
  init(_ rows: RowsSnapshot, recorder: Recorder?, pullingFrom pulled: RowsViewModel? = nil) {
    mirror = RowsMirror(rows)
    self.recorder = recorder
    self.pulled = pulled
  }

  /// Advances the time by one tick of the run's clock, so that the marks of old changes expire.
  func pass() {
    changes.pass()
  }

  private func note(_ notification: RowNotification) {
    var shown = notification
    // With the bug `pull`, the notification gets the model's newest rows. They may contain later edits, and
    // then don't fit the notification.
    if let pulled { shown.rows = pulled.latestRows }
    mirror.apply(shown)
    recorder?.record(notification)
  }

  func rowInserted(_ notification: RowNotification) {
    note(notification)
    changes.insert(at: notification.index)
  }

  func rowRemoved(_ notification: RowNotification) {
    note(notification)
    changes.remove(at: notification.index)
  }

  func rowModified(_ notification: RowNotification) {
    note(notification)
    changes.modify(at: notification.index)
  }

  func rowsRestarted(_ rows: RowsSnapshot, generation: Int) {
    mirror.restart(rows)
    changes = RecentChanges(lifetime: 20)
  }
}
