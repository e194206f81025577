internal import InterlockCore
internal import Protectors
internal import UnfairLocks

/// Passes the events of a source to the one task that awaits them.
///
/// At most one event waits; later ones are combined with it. The source is invalidated outside the lock.
final class EventMailbox<Event: SourceEvent>: Sendable {
  private struct State: Sendable {
    /// The event that waits; for the awaiting task, if there is one.
    var event: Event?
    /// Whether a task awaits an event, or has yet to take it.
    var isAwaited = false
    var hasEnded = false
    /// Whether there is a source of this mailbox.
    var isClaimed = false
    /// Invalidates the source; called when the task that awaits events is cancelled.
    ///
    /// It is `nil` before `connect` and after the end of the mailbox.
    var cancelSource: (@Sendable () -> Void)?
    /// Lets a source that was held go on; `nil` before `connect` and after the end of the mailbox.
    var unhold: (@Sendable () -> Void)?

    /// Lets the source go on if the task awaits another event than the last one.
    func unholdIfAwaited() {
      if isAwaited, event == nil { unhold?() }
    }

    mutating func take() -> Event? {
      isAwaited = false
      return event.take()
    }
  }

  private let label: StaticString
  private let state = ExclusiveProtector(State())

  init(label: StaticString) {
    self.label = label
  }

  // MARK: The source

  /// Makes the mailbox that of a source, which other sources of the same configuration can't have.
  func claim() {
    let wasClaimed = state.withLock { state in
      defer { state.isClaimed = true }
      return state.isClaimed
    }
    if wasClaimed {
      misuse(
        "ActivatedSource \"\(label)\"", "made from a configuration whose events are those of another source",
        "call makeEvents() on a configuration for each source")
    }
  }

  /// Connects the mailbox to the source, which must have been activated.
  ///
  /// - Parameters:
  ///   - cancelSource: Invalidates the source. It is called at most once: when the task that awaits events is
  ///     cancelled, or immediately if the mailbox has already ended.
  ///   - unhold: Lets a source that was held go on. It is called under the mailbox's lock.
  func connect(cancelSource: @escaping @Sendable () -> Void, unhold: @escaping @Sendable () -> Void) {
    let hasEnded = state.withLock { state in
      if !state.hasEnded {
        state.cancelSource = cancelSource
        state.unhold = unhold
        state.unholdIfAwaited()
      }
      return state.hasEnded
    }
    if hasEnded { cancelSource() }
  }

  /// Keeps an event, or combines it with the one that is kept, and calls `hold` under the mailbox's lock.
  func deliver(_ event: Event, hold: () -> Void) {
    state.withLock { state in
      if state.hasEnded { return }
      if state.event?.coalesce(event) == nil { state.event = event }
      hold()
    }
  }

  /// Ends the mailbox, because no more events will come.
  ///
  /// A waiting task gets `nil`.
  func finish() { _ = close() }

  // MARK: The consumer

  func next() async -> Event? {
    if Task.isCancelled {
      cancel()
      return nil
    }
    let (isRefused, hasEnded) = state.withLock { state in
      let isAwaited = state.isAwaited
      state.isAwaited = true
      if !isAwaited { state.unholdIfAwaited() }
      return (isAwaited, state.hasEnded)
    }
    if isRefused {
      // A task whose wait the end has ended may not have run yet.
      if hasEnded { return nil }
      misuse(
        "ActivatedSource \"\(label)\"", "its events are awaited by two tasks at once",
        "let one task await them, and pass them on")
    }
    let event = await withTaskCancellationHandler {
      try? await state.withLock(waitingUntil: { $0.event != nil || $0.hasEnded }) { $0.take() }
    } onCancel: {
      cancel()
    }
    return event ?? state.withLock { $0.take() }
  }

  /// Ends the mailbox and invalidates the source, because the task that awaits an event was cancelled.
  private func cancel() { close()?() }

  private func close() -> (@Sendable () -> Void)? {
    state.withLock { state in
      state.hasEnded = true
      if !state.isAwaited { state.event = nil }
      state.unhold = nil
      return state.cancelSource.take()
    }
  }
}
