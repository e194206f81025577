internal import Observers

/// Schedules drains of an engine's mailbox on the main actor (see `RowsMailbox`), one at a time.
///
/// The main actor may be busy, or nothing may run its work, as in a program in C that only calls
/// `interlock_rows_deliver`. While a drain waits there, no other one is scheduled, because the delivery that
/// waits takes in all later ones.
struct ScheduledDrain: Sendable {
  /// A function that empties a mailbox.
  ///
  /// Each access `inout` to a bare function in a generic type wraps it once more, so it is in a structure.
  private struct Drain: Sendable {
    let run: @MainActor @Sendable () -> Void
  }

  private let delivery = OrderedDelivery<Drain>(limit: 1, combining: { _, _ in }) { $0.run() }

  /// Schedules a drain, unless one waits already.
  ///
  /// The caller must already have put the edits into the mailbox. A waiting drain takes these edits.
  ///
  /// - Parameter drain: Empties the mailbox. It must capture the engine weakly: a waiting drain may wait for
  ///   ever, and must not keep the rows of a model that has been deallocated.
  func schedule(_ drain: @escaping @MainActor @Sendable () -> Void) {
    _ = delivery.post(Drain(run: drain))
  }
}
