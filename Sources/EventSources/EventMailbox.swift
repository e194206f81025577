internal import LockSupport
internal import Observers
internal import Protectors
internal import ReadWriteLocks
internal import TaskWaiters
internal import UnfairLocks

/// Passes the events of a source to the one task that awaits them.
///
/// At most one event waits; later ones are combined with it. A `DeliveryQueue` makes the decisions, under a
/// lock. The task is resumed, and the source is notified, outside the lock. The resumed task takes the event.
final class EventMailbox<Event: SourceEvent>: Sendable {
  private struct State: Sendable {
    var mail = DeliveryQueue<Event, TaskWaiter>()
    /// Tells the source that no task awaits its events any more.
    var cancelSource: (@Sendable () -> Void)?
  }

  private let label: StaticString
  private let state = ExclusiveProtector(State())

  init(label: StaticString) {
    self.label = label
  }

  // MARK: The source

  /// Connects the mailbox to the source, which has been activated.
  ///
  /// - Parameter cancelSource: Called once when the task that awaits events is cancelled. If the mailbox has
  ///   already ended, it is called at once.
  func connect(_ cancelSource: @escaping @Sendable () -> Void) {
    let isFinished = state.withLock { state in
      if !state.mail.hasEnded { state.cancelSource = cancelSource }
      return state.mail.hasEnded
    }
    if isFinished { cancelSource() }
  }

  func deliver(_ event: Event) {
    let waiter = state.withLock { state in
      if !state.mail.withNewest({ $0.coalesce(event) }) { state.mail.append(event) }
      return state.mail.takeReceiver()
    }
    waiter?.resume()
  }

  /// Ends the mailbox, because no more events will come.
  ///
  /// A waiting task gets `nil`.
  func finish() {
    close().waiter?.resume()
  }

  // MARK: The consumer

  nonisolated(nonsending) func next() async -> Event? {
    let waiter = TaskWaiter()
    return await withTaskCancellationHandler {
      while true {
        switch state.withLock({ $0.mail.receive(with: waiter) }) {
        case .element(let event): return event
        case .ended: return nil
        case .waits: await waiter.waitUntilResumed()
        case .refused:
          misuse(
            "ActivatedSource \"\(label)\"", "its events are awaited by two tasks at once",
            "let one task await them, and pass them on")
        }
        waiter.rearm()
      }
    } onCancel: {
      cancel()
    }
  }

  /// Ends the mailbox, because the task that awaits an event was cancelled.
  ///
  /// The task gets `nil`, and the source is invalidated.
  private func cancel() {
    let (waiter, cancelSource) = close()
    waiter?.resume()
    cancelSource?()
  }

  private func close() -> (waiter: TaskWaiter?, cancelSource: (@Sendable () -> Void)?) {
    var dropped: [Event] = []
    return state.withLock { state in
      state.mail.removeAll(into: &dropped)
      return (state.mail.end(), state.cancelSource.take())
    }
  }
}
