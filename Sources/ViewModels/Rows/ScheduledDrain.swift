internal import AtomicProperties

/// Schedules drains of an engine's mailbox on the main actor (see `RowsMailbox`), one at a time.
///
/// The main actor may be busy, or nothing may run its work, as in a program in C that only calls
/// `interlock_rows_deliver`. While a drain waits there, no other one is scheduled.
final class ScheduledDrain: Sendable {
  private let isWaiting = AtomicProperty(false)

  /// Schedules a drain, unless one waits already.
  ///
  /// The caller has put the edits into the mailbox before. If a drain waits, it takes these edits, because it
  /// clears `isWaiting` before it empties the mailbox.
  ///
  /// - Parameter drain: Empties the mailbox. It must capture the engine weakly: a waiting drain may wait for
  ///   ever, and must not keep the rows of a model that has been deallocated.
  func schedule(_ drain: @escaping @MainActor @Sendable () -> Void) {
    if isWaiting.exchange(true) { return }
    Task { @MainActor [isWaiting] in
      isWaiting.exchange(false)
      drain()
    }
  }
}
