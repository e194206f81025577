internal import Protectors

/// What feeds the streams of a model: the list of those who listen.
///
/// Inputs are sent, and listeners added, on the main actor. Listeners are removed on any thread, because a subscription
/// ends wherever its owner does; that is why the list is behind a lock, which is held for the list alone: no listener is
/// called, and none is released, under it.
final class StreamSource<Input: Sendable>: Sendable {
  private struct Listeners: Sendable {
    var sinks: [StreamSink<Input>] = []
    var isClosed = false
  }

  private let listeners = ExclusiveProtector(Listeners())

  /// The first value that a new listener gets; `nil` when there is none.
  private let current: @Sendable () -> Input?

  init(current: @escaping @Sendable () -> Input?) {
    self.current = current
  }

  /// Adds a listener and tells it the current input; a source that is closed ends it at once.
  @MainActor
  func add(_ sink: StreamSink<Input>) {
    let isClosed = listeners.withWriteLock { listeners in
      if !listeners.isClosed { listeners.sinks.append(sink) }
      return listeners.isClosed
    }
    if isClosed {
      sink.end()
    } else if let input = current() {
      deliver(input, to: sink)
    }
  }

  /// Tells all who listen now.
  @MainActor
  func send(_ input: Input) {
    for sink in listeners.withWriteLock({ $0.sinks }) { deliver(input, to: sink) }
  }

  @MainActor
  private func deliver(_ input: Input, to sink: StreamSink<Input>) {
    if !sink.receive(input) { remove(sink) }
  }

  /// Ends a listener, on any thread; one that was ended before stays so.
  func remove(_ sink: StreamSink<Input>) {
    listeners.withWriteLock { listeners in listeners.sinks.removeAll { $0 === sink } }
    sink.end()
  }

  /// Ends all who listen, and all who come later; on any thread.
  func close() {
    let sinks = listeners.withWriteLock { listeners in
      defer { listeners = Listeners(isClosed: true) }
      return listeners.sinks
    }
    for sink in sinks { sink.end() }
  }
}
