internal import Dispatch
internal import PlatformLocks
internal import Protectors
internal import ReadWriteLocks
internal import UnfairLocks

/// The state that an `ActivatedSource` shares with its dispatch source.
///
/// The handlers of the dispatch source hold this object.
///
/// It is an object of its own, so that the handlers don't keep the `ActivatedSource` alive. The `deinit` of
/// the `ActivatedSource` has to detect a missing `invalidate()`. From activation on, this object and the
/// dispatch source hold each other. `end` breaks this cycle.
///
/// # Responsibilities
/// - `lifecycle` decides whether an event is delivered, and which caller activates or invalidates first. The
///   body of its `invalidate` cancels the dispatch source, after all deliveries have ended.
/// - libdispatch calls the cancel handler, `end`, once, on the queue, when its event handler runs no more and
///   the descriptor is not watched any more. A source that was never activated has no dispatch source: its
///   `end` is enqueued directly.
/// - The lock of `state` guards everything else. Calls of libdispatch whose order matters are made under it.
///   For example, `suspend` counts a suspension and suspends the dispatch source in one critical section, so
///   no thread resumes the source in between. Those calls run no code of the user, and don't wait. The
///   handlers are called, and released, outside the lock.
/// - On Linux libdispatch stops reporting after a hang-up (see `HangUp`). So the core of a read source checks
///   for a hang-up before it delivers an event of libdispatch. Once it has found one, it enqueues all further
///   events itself, one after another. A hang-up after the check makes libdispatch report one more event, so
///   none is missed. A read source has a serial queue of its own, so its events don't overlap.
///
/// Threads pass the handlers to each other under the lock, so that ThreadSanitizer sees the order.
final class SourceCore<Event: SourceEvent>: Sendable {
  private struct State {
    /// The configuration; `nil` after `end` has taken it.
    var configuration: ActivatedSource<Event>.Configuration?
    /// The dispatch source, from `activate` until `end`.
    var source: DispatchSource?
    var suspensions = 0
    var rest = Rest.none
  }

  /// Progress in reporting the remaining data after a hang-up.
  private enum Rest {
    /// No hang-up was found so far.
    case none
    /// The next event is enqueued.
    case scheduled
    /// The source is suspended: the next event is enqueued when the source is resumed.
    case suspended
    /// The end has been reported.
    case ended
  }

  let lifecycle: Lifecycle
  let queue: DispatchQueue
  private let state: ExclusiveProtector<State>

  init(_ configuration: ActivatedSource<Event>.Configuration) {
    lifecycle = Lifecycle(configuration.label)
    queue = configuration.queue
    state = ExclusiveProtector(State(configuration: configuration))
  }

  func trap(_ done: String, _ instead: String) -> Never {
    misuse("ActivatedSource \"\(lifecycle.label)\"", done, instead)
  }

  // MARK: Life

  func activate() {
    lifecycle.activate {
      let mailbox = state.withWriteLock { state in
        let configuration = state.configuration!
        // `makeSource` returns a protocol type, but every dispatch source is a `DispatchSource`.
        let source = configuration.makeSource(queue) as! DispatchSource
        source.setEventHandler { self.deliver() }
        source.setCancelHandler { self.end() }
        for _ in 0..<state.suspensions { source.suspend() }
        state.source = source
        source.activate()
        return configuration.mailbox
      }
      mailbox?.connect { [weak self] in self?.invalidateFromQueue() }
    }
  }

  func invalidate() {
    lifecycle.invalidate { cancel() }
  }

  nonisolated(nonsending)
    func invalidateWithoutBlocking() async
  {
    await lifecycle.invalidate { cancel() }
  }

  private func cancel() {
    let (hasSource, mailbox) = state.withWriteLock { state in
      state.source?.cancel()
      // A suspended source would not call its cancel handler, so this ends all suspensions.
      if let source = state.source {
        for _ in 0..<state.suspensions { source.resume() }
      }
      return (state.source != nil, state.configuration?.mailbox)
    }
    mailbox?.finish()
    if !hasSource { queue.async { self.end() } }
  }

  /// Enqueues the invalidation on the source's queue, for a caller that can't wait for a handler.
  ///
  /// On a serial queue the invalidation does not wait either: no handler runs at the same time.
  private func invalidateFromQueue() {
    queue.async { self.invalidate() }
  }

  /// Runs the cancel handler, and then closes the descriptor if the source owns it.
  ///
  /// This is the source's last work item on its queue.
  private func end() {
    let configuration = state.withWriteLock { state in
      state.source = nil
      return state.configuration.take()!
    }
    configuration.onCancel?()
    guard let descriptor = configuration.ownedDescriptor else { return }
    if !Descriptors.close(descriptor) {
      trap(
        "its descriptor \(descriptor) was closed by somebody else",
        "leave it to the source, or pass closesDescriptor: false")
    }
  }

  // MARK: Events

  /// Delivers an event of libdispatch.
  ///
  /// After a hang-up was found, it ignores the event, because `deliverRest` delivers the remaining ones.
  private func deliver() {
    lifecycle.whileActive {
      let (source, configuration, rest) = state.withWriteLock { ($0.source, $0.configuration, $0.rest) }
      guard let source, let configuration, rest == .none else { return }
      if let byteCount = configuration.hangUp?.byteCount() {
        deliver(rest: byteCount, configuration)
      } else {
        deliver(Event(data: source.data), configuration)
      }
    }
  }

  /// Delivers an event that this object has enqueued itself, after the hang-up.
  private func deliverRest() {
    lifecycle.whileActive {
      let configuration = state.withWriteLock { state -> ActivatedSource<Event>.Configuration? in
        if state.suspensions == 0 { return state.configuration }
        state.rest = .suspended
        return nil
      }
      guard let configuration, let hangUp = configuration.hangUp else { return }
      deliver(rest: hangUp.remainingByteCount(), configuration)
    }
  }

  /// Delivers an event with the number of remaining bytes, and enqueues the next one unless that number is 0.
  private func deliver(rest byteCount: UInt, _ configuration: ActivatedSource<Event>.Configuration) {
    state.withWriteLock { $0.rest = byteCount == 0 ? .ended : .scheduled }
    deliver(Event(data: byteCount), configuration)
    if byteCount > 0 { queue.async { self.deliverRest() } }
  }

  private func deliver(_ event: Event, _ configuration: ActivatedSource<Event>.Configuration) {
    configuration.onEvent?(event)
    configuration.mailbox?.deliver(event)
  }

  /// Runs `body` with the dispatch source if the source is active.
  ///
  /// Returns whether it is active.
  func withSource(_ body: (DispatchSource) -> Void) -> Bool {
    let result: Void? = lifecycle.whileActive {
      if let source = state.withWriteLock({ $0.source }) { body(source) }
    }
    return result != nil
  }

  // MARK: Suspensions

  var isSuspended: Bool { state.withWriteLock { $0.suspensions > 0 } }

  func suspend() {
    state.withWriteLock { state in
      guard lifecycle.state != .invalidated else { return }
      state.suspensions += 1
      state.source?.suspend()
    }
  }

  func resume() {
    let (isTaken, continues) = state.withWriteLock { state in
      guard lifecycle.state != .invalidated else { return (true, false) }
      guard state.suspensions > 0 else { return (false, false) }
      state.suspensions -= 1
      state.source?.resume()
      guard state.suspensions == 0, state.rest == .suspended else { return (true, false) }
      state.rest = .scheduled
      return (true, true)
    }
    if continues { queue.async { self.deliverRest() } }
    if !isTaken { trap("resumed more often than suspended", "call resume() once for each suspend()") }
  }
}
