internal import ViewModels

/// The table: it shows each notification, and checks it against rows of its own.
@MainActor
final class Table: RowsObserver {
  /// Rows made of nothing but what the table was notified of.
  private(set) var mirror: RowsMirror
  private(set) var changes = RecentChanges(lifetime: 20)

  private let recorder: Recorder?

  /// - Parameters:
  ///   - rows: The rows before the first notification.
  ///   - recorder: Writes the notifications down.
  init(_ rows: RowsSnapshot, recorder: Recorder?) {
    mirror = RowsMirror(rows)
    self.recorder = recorder
  }

  /// A step of time: what has changed long ago is no longer marked.
  func pass() {
    changes.pass()
  }

  private func note(_ notification: RowNotification) {
    mirror.apply(notification)
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
