internal import CRows
internal import Lifecycles
internal import Protectors
internal import ViewModels

/// The functions of an observer in another language, and the pointer `user` that is passed to each of them.
@safe
struct ObserverFunctions: @unchecked Sendable {
  // `ObserverFunctions` is `@unchecked Sendable` and `@safe`, which is sound: the callbacks run only on the
  // main actor, and `destroy_user` is called once, after the last callback.
  let table: interlock_rows_observer
}

/// Notifies an observer in another language, from its registration until it is removed.
final class ForeignObserver: RowsObserver {
  private nonisolated let functions: ObserverFunctions
  private nonisolated let lifecycle = Lifecycle(label: "interlock_rows_observe")
  /// The number of callbacks of this observer that are running.
  ///
  /// The number exceeds 1 if callbacks are nested.
  private var depth = 0
  /// Whether the observer was removed by one of its callbacks, so that `destroy_user` is called after that
  /// callback.
  private var endsAfterCallback = false
  /// Whether `destroy_user` has returned.
  private nonisolated let isDestroyed = Protector(false)

  /// The number of callbacks of all observers that are running.
  private(set) static var runningCallbacks = 0

  init(_ functions: ObserverFunctions) {
    self.functions = functions
    lifecycle.activate()
  }

  nonisolated var isActive: Bool { lifecycle.state == .active }

  /// Ends the observer; can be called on any thread.
  ///
  /// When this function returns, no callback is running, and `destroy_user` has returned. Two kinds of calls
  /// don't wait for that, because they would wait for themselves: calls inside a callback of this observer,
  /// and calls inside a `destroy_user`.
  nonisolated func end() {
    if lifecycle.invalidate() {
      let isPostponed = MainLoop.isCurrent && MainActor.assumeIsolated { endAfterCallback() }
      if !isPostponed { destroyUser() }
    } else if !destroyCalls.isInside, !isInsideCallback {
      isDestroyed.withReadLock(waitingUntil: { $0 }) { _ in }
    }
  }

  private nonisolated var isInsideCallback: Bool {
    MainLoop.isCurrent && MainActor.assumeIsolated { depth > 0 }
  }

  private func endAfterCallback() -> Bool {
    endsAfterCallback = depth > 0
    return endsAfterCallback
  }

  private nonisolated func destroyUser() {
    // Sound: `destroy_user` is called once, after the last callback, so `user` is still valid.
    destroyCalls.inside { unsafe functions.table.destroy_user?(functions.table.user) }
    isDestroyed.withWriteLock { $0 = true }
  }

  // MARK: Callbacks

  private func call(_ callback: (_ observer: interlock_rows_observer) -> Void) {
    lifecycle.whileActive {
      depth += 1
      Self.runningCallbacks += 1
      unsafe callback(functions.table)
      Self.runningCallbacks -= 1
      depth -= 1
    }
    if endsAfterCallback, depth == 0 {
      endsAfterCallback = false
      destroyUser()
    }
  }

  private func call(
    _ callback: (@convention(c) (UnsafeMutableRawPointer?, UnsafePointer<interlock_rows_change>?) -> Void)?,
    _ notification: RowNotification
  ) {
    guard let callback = unsafe callback else { return }
    // The closures below don't capture the notification, because capturing it would copy it.
    var change = unsafe interlock_rows_change(
      index: notification.index, id: notification.row.id, text: interlock_rows_text(),
      row_count: notification.rows.count, first_sequence: notification.sequences.lowerBound,
      last_sequence: notification.sequences.upperBound, generation: UInt64(notification.generation))
    unsafe notification.row.text.withCharacters { text in
      unsafe change.text = unsafe text
      unsafe call { observer in unsafe callback(observer.user, &change) }
    }
  }

  func rowInserted(_ notification: RowNotification) {
    unsafe call(functions.table.inserted, notification)
  }

  func rowRemoved(_ notification: RowNotification) {
    unsafe call(functions.table.removed, notification)
  }

  func rowModified(_ notification: RowNotification) {
    unsafe call(functions.table.modified, notification)
  }

  func rowsRestarted(_ rows: RowsSnapshot, generation: Int) {
    unsafe call { unsafe $0.restarted?($0.user, UInt64(generation), rows.count) }
  }
}
