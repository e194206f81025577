/// A mailbox that holds one event, or the waiter for one: a value, without threads, locks or tasks.
///
/// Each operation returns what its caller has to do after it has released the mailbox's lock.
struct MailboxState<Event: SourceEvent, Waiter: Sendable>: Sendable {
  private enum Contents {
    case empty
    case event(Event)
    case waiter(Waiter)
    case finished
  }

  private var contents = Contents.empty

  var isFinished: Bool {
    if case .finished = contents { true } else { false }
  }

  /// Delivers an event to the waiting task, if there is one.
  ///
  /// Without a waiter the event is kept, and combined with one that was kept before.
  ///
  /// - Returns: The waiter to resume with the event, if there is one.
  mutating func deliver(_ event: Event) -> Waiter? {
    switch contents {
    case .empty: contents = .event(event)
    case .event(var kept):
      kept.coalesce(event)
      contents = .event(kept)
    case .waiter(let waiter):
      contents = .empty
      return waiter
    case .finished: break
    }
    return nil
  }

  /// What a caller that asks for an event has to do.
  enum Wait {
    /// Wait until the waiter is resumed.
    case wait
    /// Continue with an event, or with `nil` at the end.
    case resume(Event?)
    /// Trap, because another task waits.
    case refuse
  }

  mutating func wait(_ waiter: Waiter) -> Wait {
    switch contents {
    case .empty:
      contents = .waiter(waiter)
      return .wait
    case .event(let event):
      contents = .empty
      return .resume(event)
    case .waiter: return .refuse
    case .finished: return .resume(nil)
    }
  }

  /// Ends the mailbox.
  ///
  /// An event that was kept is dropped.
  ///
  /// - Returns: The waiter to resume with `nil`, if there is one.
  mutating func finish() -> Waiter? {
    defer { contents = .finished }
    if case .waiter(let waiter) = contents { return waiter }
    return nil
  }
}
