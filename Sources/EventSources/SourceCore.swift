internal import Lifecycles
internal import Dispatch
internal import InterlockCore
internal import Protectors
internal import UnfairLocks

/// The state that an `ActivatedSource` shares with its dispatch source.
///
/// The handlers of the dispatch source hold this object instead of the `ActivatedSource`. So they don't
/// keep the `ActivatedSource` alive, and its `deinit` can detect a missing `invalidate()`. From activation
/// on, this object and the dispatch source hold each other. `end` breaks this cycle.
///
/// # Responsibilities
/// - `lifecycle` decides whether an event is delivered, and which caller activates or invalidates first. The
///   body of its `invalidate` cancels the dispatch source, after all deliveries have ended.
/// - libdispatch calls the cancel handler, `end`, once, on the queue, when its event handler runs no more and
///   the descriptor is not watched any more. A source that was never activated has no dispatch source: its
///   `end` is enqueued directly.
/// - The lock of `state` guards everything else. Calls to libdispatch whose order matters are made under this
///   lock. For example, `suspend` counts a suspension and suspends the dispatch source in one critical
///   section, so no thread resumes the source in between. Those calls run no code of the user, and don't
///   wait. The user's handlers are called, and released, outside the lock.
/// - A descriptor that stays ready has event after event. If a task awaits the events, the source is *held*, which is
///   a suspension of its own: from an event until the task asks for the next one. `EventMailbox` calls `hold` and
///   `unhold` under its lock, inside which that of `state` is acquired, and never the other way round.
/// - On Linux libdispatch does not watch the descriptor of most read and write sources (see
///   `WatchedDescriptor`). So this object finds out how many bytes can be read or written. When the other end
///   of a read source has hung up and all data has been read, this object stops watching the descriptor, and
///   reports 0 bytes.
///
/// Threads pass the handlers to each other under the lock, so that ThreadSanitizer sees the order.
final class SourceCore<Event: SourceEvent>: Sendable {
  private struct State {
    /// The configuration; `nil` after `end` has taken it.
    var configuration: ActivatedSource<Event>.Configuration?
    /// The dispatch source, with its descriptor if it watches one; `nil` before `activate` and after `end`.
    var running: (source: DispatchSource, watched: WatchedDescriptor?)?
    var suspensions = 0
    /// Whether the source is suspended until the task that awaits its events asks for the next one.
    var isHeld = false
    /// Whether the descriptor is not watched any more.
    var isAtEnd = false
  }

  let lifecycle: Lifecycle
  let queue: DispatchQueue
  private let state: ExclusiveProtector<State>

  init(_ configuration: ActivatedSource<Event>.Configuration) {
    lifecycle = Lifecycle(label: configuration.label)
    queue = configuration.queue
    state = ExclusiveProtector(State(configuration: configuration))
    configuration.mailbox?.claim()
  }

  func trap(_ done: String, _ instead: String) -> Never {
    misuse("ActivatedSource \"\(lifecycle.label)\"", done, instead)
  }

  // MARK: Life

  func activate() {
    lifecycle.activate {
      let mailbox = state.withLock { state in
        let configuration = state.configuration!
        let (made, watched) = configuration.makeSource(queue)
        // `makeSource` returns a protocol type, but every dispatch source is a `DispatchSource`.
        let source = made as! DispatchSource
        source.setEventHandler { self.deliver() }
        source.setCancelHandler { self.end() }
        for _ in 0..<state.suspensions { source.suspend() }
        state.running = (source, watched)
        if let signal = configuration.signal {
          signal.willWatch()
          source.setRegistrationHandler { signal.didWatch() }
        }
        source.activate()
        return configuration.mailbox
      }
      mailbox?.connect(
        cancelSource: { [weak self] in self?.invalidateFromQueue() },
        unhold: { [weak self] in self?.unhold() })
    }
  }

  func invalidate() {
    lifecycle.invalidate { cancel() }
  }

  func invalidateWithoutBlocking(isolation: isolated (any Actor)? = #isolation) async {
    await lifecycle.invalidate { cancel() }
  }

  private func cancel() {
    let (hasSource, mailbox) = state.withLock { state in
      if let (source, _) = state.running {
        // First, because the program's next signals are not for this source.
        state.configuration?.signal?.endWatching()
        source.cancel()
        // libdispatch does not call the cancel handler of a suspended source, so all suspensions must end.
        for _ in 0..<state.suspensions { source.resume() }
        if state.isHeld { source.resume() }
        state.isHeld = false
      }
      return (state.running != nil, state.configuration?.mailbox)
    }
    mailbox?.finish()
    if !hasSource { queue.async { self.end() } }
  }

  /// Enqueues the invalidation on the source's queue, for a caller that can't wait for a handler.
  ///
  /// On a serial queue the invalidation then has no handler to wait for, because none runs at the same time.
  private func invalidateFromQueue() {
    queue.async { self.invalidate() }
  }

  /// Runs the cancel handler, and then closes the descriptor if the source owns it.
  ///
  /// No handler of the source runs afterwards. Traps if other code has closed the owned descriptor.
  private func end() {
    let (configuration, running, isAtEnd) = state.withLock { state in
      (state.configuration.take()!, state.running.take(), state.isAtEnd)
    }
    if running != nil { configuration.signal?.didEndWatching() }
    configuration.onCancel?()
    guard let descriptor = configuration.ownedDescriptor else { return }
    if !isAtEnd && running?.watched?.isOfAnotherFile == true || !Descriptors.close(descriptor) {
      trap(
        "its descriptor \(descriptor) was closed by somebody else",
        "leave it to the source, or pass closesDescriptor: false")
    }
  }

  // MARK: Events

  /// Delivers an event of libdispatch.
  private func deliver() {
    lifecycle.whileActive {
      let (running, configuration) = state.withLock { ($0.running, $0.configuration) }
      guard let (source, watched) = running, let configuration else { return }
      switch watched?.state() {
      case nil: deliver(Event(data: source.data), configuration, watched)
      case .nothing: break
      case .ready(let byteCount): deliver(Event(data: byteCount), configuration, watched)
      case .ended:
        state.withLock { $0.isAtEnd = true }
        watched?.stopWatching()
        deliver(Event(data: 0), configuration, watched)
      }
    }
  }

  private func deliver(
    _ event: Event, _ configuration: ActivatedSource<Event>.Configuration, _ watched: WatchedDescriptor?
  ) {
    configuration.onEvent?(event)
    let mayHold = watched != nil && configuration.onEvent == nil
    configuration.mailbox?.deliver(event) { if mayHold { hold() } }
  }

  private func hold() {
    state.withLock { state in
      guard !state.isHeld, lifecycle.state != .invalidated else { return }
      state.isHeld = true
      state.running?.source.suspend()
    }
  }

  private func unhold() {
    state.withLock { state in
      guard state.isHeld else { return }
      state.isHeld = false
      state.running?.source.resume()
    }
  }

  /// Runs `body` with the dispatch source, if the source is active and has one.
  ///
  /// A source that another thread is activating may not have its dispatch source yet.
  ///
  /// - Returns: Whether `body` was run.
  func withSource(_ body: (DispatchSource) -> Void) -> Bool {
    lifecycle.whileActive {
      guard let source = state.withLock({ $0.running?.source }) else { return false }
      body(source)
      return true
    } ?? false
  }

  // MARK: Suspensions

  var isSuspended: Bool { state.withLock { $0.suspensions > 0 } }

  func suspend() {
    state.withLock { state in
      guard lifecycle.state != .invalidated else { return }
      state.suspensions += 1
      state.running?.source.suspend()
    }
  }

  func resume() {
    let isTaken = state.withLock { state in
      guard lifecycle.state != .invalidated else { return true }
      guard state.suspensions > 0 else { return false }
      state.suspensions -= 1
      state.running?.source.resume()
      return true
    }
    if !isTaken { trap("resumed more often than suspended", "call resume() once for each suspend()") }
  }
}
