/// One place for an event, or for who waits for it: a value, without threads, locks or tasks.
///
/// Its operations return what their caller has to do, after it has let the mailbox's lock go.
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

  /// - Returns: Who gets the event, if somebody waits; else it is kept, as one with an earlier one.
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

  /// What who asks for an event does.
  enum Wait {
    /// Wait until it is resumed.
    case wait
    /// Go on with an event, or, at the end, with none.
    case resume(Event?)
    /// Trap: somebody else waits.
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

  /// Ends the mailbox; an event that nobody has asked for is dropped.
  ///
  /// - Returns: Who has to be notified that no event comes.
  mutating func finish() -> Waiter? {
    defer { contents = .finished }
    if case .waiter(let waiter) = contents { return waiter }
    return nil
  }
}
