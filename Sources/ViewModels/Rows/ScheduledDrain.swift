internal import Observers

/// Schedules drains of an engine's mailbox on the main actor (see `RowsMailbox`), at most one at a time.
///
/// While a drain waits for the main actor, no other drain is scheduled, because the waiting one also takes
/// all later edits. A drain can wait forever: in a C program that only calls `interlock_rows_deliver`,
/// nothing runs the main actor's work.
struct ScheduledDrain: Sendable {
  /// Wraps the function that empties a mailbox.
  ///
  /// Without this structure, the generic `OrderedDelivery` would wrap the function in one more reabstraction
  /// thunk at each `inout` access.
  private struct Drain: Sendable {
    let run: @MainActor @Sendable () -> Void
  }

  private let delivery = OrderedDelivery<Drain>(limit: 1, combining: { _, _ in }) { $0.run() }

  /// Schedules a drain, unless one waits already.
  ///
  /// The caller must already have put the edits into the mailbox. A waiting drain takes these edits.
  ///
  /// - Parameter drain: Empties the mailbox. It must capture the engine weakly: a drain may wait forever, and
  ///   must not keep the rows of a deallocated model alive.
  func schedule(_ drain: @escaping @MainActor @Sendable () -> Void) {
    _ = delivery.post(Drain(run: drain))
  }
}
