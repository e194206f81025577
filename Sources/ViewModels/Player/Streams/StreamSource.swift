internal import Protectors

/// The source of a model's streams, with a list of sinks: one `StreamSink` for each subscription.
///
/// Inputs are sent, and sinks added, on the main actor. Sinks are removed on any thread, because a
/// subscription may end on any thread. So a lock guards the list. No sink is called or released under the
/// lock.
final class StreamSource<Input: Sendable>: Sendable {
  private struct Listeners: Sendable {
    var sinks: [StreamSink<Input>] = []
    var isClosed = false
  }

  private let listeners = ExclusiveProtector(Listeners())

  /// Returns the model's current input, which a new subscription gets first.
  ///
  /// Returns `nil` for a source of events, whose subscriptions get no first input.
  private let current: @Sendable () -> Input?

  /// Runs a closure that sends a new subscription its first input.
  ///
  /// If the observer requests transitions during the closure, the model performs them after it.
  private let whileDelaying: @MainActor @Sendable (_ body: () -> Void) -> Void

  init(
    current: @escaping @Sendable () -> Input?,
    whileDelaying: @escaping @MainActor @Sendable (_ body: () -> Void) -> Void = { $0() }
  ) {
    self.current = current
    self.whileDelaying = whileDelaying
  }

  /// Adds the sink of a new subscription and sends it the current input.
  ///
  /// A closed source ends the sink immediately.
  @MainActor
  func add(_ sink: StreamSink<Input>) {
    let isClosed = listeners.withLock { listeners in
      if !listeners.isClosed { listeners.sinks.append(sink) }
      return listeners.isClosed
    }
    if isClosed {
      sink.end()
    } else if let input = current() {
      whileDelaying { deliver(input, to: sink) }
    }
  }

  /// Sends an input to all sinks.
  @MainActor
  func send(_ input: Input) {
    for sink in listeners.withLock({ $0.sinks }) { deliver(input, to: sink) }
  }

  @MainActor
  private func deliver(_ input: Input, to sink: StreamSink<Input>) {
    if !sink.receive(input) { remove(sink) }
  }

  /// Removes and ends a `StreamSink`; can be called on any thread.
  ///
  /// Has no effect if the sink has already ended.
  func remove(_ sink: StreamSink<Input>) {
    listeners.withLock { listeners in listeners.sinks.removeAll { $0 === sink } }
    sink.end()
  }

  /// Ends all subscriptions; a subscription that is added later ends immediately.
  ///
  /// Can be called on any thread.
  func close() {
    for sink in listeners.exchange(Listeners(isClosed: true)).sinks { sink.end() }
  }
}
