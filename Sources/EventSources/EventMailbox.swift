internal import InterlockCore
internal import InterlockWaits
internal import Observers
internal import Protectors
internal import ReadWriteLocks
internal import UnfairLocks

/// Passes the events of a source to the one task that awaits them.
///
/// At most one event waits; later ones are combined with it. A lock guards the `DeliveryQueue`, which holds
/// the waiting event or the waiting task. Tasks are resumed, and the source is invalidated, outside the lock.
final class EventMailbox<Event: SourceEvent>: Sendable {
  private struct State: Sendable {
    var mail = DeliveryQueue<Event, TaskWaiter>()
    /// The event for the task that was taken from `mail` last.
    var delivered: Event?
    /// Invalidates the source; called when the task that awaits events is cancelled.
    ///
    /// It is `nil` before `connect` and after the end of the mailbox.
    var cancelSource: (@Sendable () -> Void)?
  }

  private let label: StaticString
  private let state = ExclusiveProtector(State())

  init(label: StaticString) {
    self.label = label
  }

  // MARK: The source

  /// Connects the mailbox to the source, which must have been activated.
  ///
  /// - Parameter cancelSource: Invalidates the source. It is called at most once: when the task that awaits
  ///   events is cancelled, or immediately if the mailbox has already ended.
  func connect(_ cancelSource: @escaping @Sendable () -> Void) {
    let isFinished = state.withLock { state in
      if !state.mail.hasEnded { state.cancelSource = cancelSource }
      return state.mail.hasEnded
    }
    if isFinished { cancelSource() }
  }

  func deliver(_ event: Event) {
    let waiter = state.withLock { state -> TaskWaiter? in
      if let waiter = state.mail.takeReceiver() {
        state.delivered = event
        return waiter
      }
      if !state.mail.withNewest({ $0.coalesce(event) }) { state.mail.append(event) }
      return nil
    }
    resume(waiter)
  }

  /// Ends the mailbox, because no more events will come.
  ///
  /// A waiting task gets `nil`.
  func finish() {
    resume(close().waiter)
  }

  // MARK: The consumer

  func next() async -> Event? {
    if Task.isCancelled {
      cancel()
      return nil
    }
    let waiter = TaskWaiter()
    switch state.withLock({ $0.delivered == nil ? $0.mail.receive(with: waiter) : .refused }) {
    case .element(let event): return event
    case .ended: return nil
    case .waits:
      _ = await waiter.wait { self.cancel() }
      return state.withLock { $0.delivered.take() }
    case .refused:
      misuse(
        "ActivatedSource \"\(label)\"", "its events are awaited by two tasks at once",
        "let one task await them, and pass them on")
    }
  }

  /// Ends the mailbox, because the task that awaits an event was cancelled.
  ///
  /// The task gets `nil`, and the source is invalidated.
  private func cancel() {
    let (waiter, cancelSource) = close()
    resume(waiter)
    cancelSource?()
  }

  private func resume(_ waiter: TaskWaiter?) {
    guard let waiter else { return }
    checkNoLockHeld(before: "a continuation is resumed")
    waiter.resume()
  }

  private func close() -> (waiter: TaskWaiter?, cancelSource: (@Sendable () -> Void)?) {
    var dropped: [Event] = []
    return state.withLock { state in
      state.mail.removeAll(into: &dropped)
      return (state.mail.end(), state.cancelSource.take())
    }
  }
}
