internal import Dispatch
internal import PlatformLocks
internal import Protectors
internal import ReadWriteLocks
internal import UnfairLocks

/// What an `ActivatedSource` and its dispatch source share, and what the latter's handlers hold.
///
/// It is an object of its own so that the handlers don't keep the `ActivatedSource` alive, whose end would then go
/// unnoticed. From activation on the dispatch source holds it, and it holds the dispatch source; `end` releases it.
///
/// # Who does what when
/// - `lifecycle` decides whether an event is delivered, and whether who activates or invalidates is the first. All
///   deliveries have ended when the body of its `invalidate` runs; there the dispatch source is cancelled.
/// - libdispatch calls the cancel handler, `end`, once, on the queue, when its event handler runs no more and the
///   descriptor is not watched any more. A source that was never activated has no dispatch source: its `end` is
///   put on the queue directly.
/// - Everything else is guarded by the lock of `state`. libdispatch is called under it where the order of calls
///   matters: a suspension that is counted has been made when somebody takes it back. Those calls run none of the user's
///   code, and wait for nothing. The handlers are called, and released, outside.
///
/// - After a hang-up (see `HangUp`) the source puts the events on the queue itself, one after another, because libdispatch on Linux
///   stops there. It looks before each event of libdispatch, and a hang-up that comes after that look makes libdispatch
///   report one more event. So none is missed. Such a source has a serial queue of its own: its events don't overlap.
///
/// The handlers pass through the lock, whose order ThreadSanitizer sees.
final class SourceCore<Event: SourceEvent>: Sendable {
  private struct State {
    /// Until the end.
    var configuration: ActivatedSource<Event>.Configuration?
    /// From activation until the end.
    var source: DispatchSource?
    var suspensions = 0
    var rest = Rest.none
  }

  /// What is left of a descriptor whose other side has hung up.
  private enum Rest {
    /// It has not hung up, as far as is known.
    case none
    /// The next event is on the queue.
    case scheduled
    /// The next event waits until no suspension is left.
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
        // All sources of libdispatch are of this class.
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
      // A source that is suspended would not call its cancel handler.
      if let source = state.source {
        for _ in 0..<state.suspensions { source.resume() }
      }
      return (state.source != nil, state.configuration?.mailbox)
    }
    mailbox?.finish()
    if !hasSource { queue.async { self.end() } }
  }

  /// For who can't wait for a handler that runs: on the queue, none does.
  private func invalidateFromQueue() {
    queue.async { self.invalidate() }
  }

  /// The last piece of work, on the queue.
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

  /// libdispatch has an event.
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

  /// An event after the hang-up that this object has put on the queue.
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

  /// Delivers what is left, and puts the next event on the queue unless this is the end.
  private func deliver(rest byteCount: UInt, _ configuration: ActivatedSource<Event>.Configuration) {
    state.withWriteLock { $0.rest = byteCount == 0 ? .ended : .scheduled }
    deliver(Event(data: byteCount), configuration)
    if byteCount > 0 { queue.async { self.deliverRest() } }
  }

  private func deliver(_ event: Event, _ configuration: ActivatedSource<Event>.Configuration) {
    configuration.onEvent?(event)
    configuration.mailbox?.deliver(event)
  }

  /// Runs `body` with the dispatch source; `false`, and does not, unless it is active.
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
