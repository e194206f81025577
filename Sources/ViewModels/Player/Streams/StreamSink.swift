internal import AtomicProperties

/// Passes the inputs from a `StreamSource` to one observer, through the observer's own copies of `map`,
/// `take` and the stream's other stages (see `ModelStream`).
///
/// If the observer changes the model during its call, the new input is queued. So the observer is never
/// called recursively.
@MainActor
final class StreamSink<Input: Sendable> {
  /// Passes an input through the stages to the observer (see `ModelStream`); returns whether more inputs are
  /// wanted.
  private let take: @MainActor (Input) -> Bool

  /// Called once when this sink ends, on the thread that ends it.
  private nonisolated let whenEnded: @Sendable () -> Void

  private nonisolated let isEnded = AtomicProperty(false)
  private var waiting: [Input] = []
  private var isTaking = false

  init(whenEnded: @escaping @Sendable () -> Void, _ take: @escaping @MainActor (Input) -> Bool) {
    self.whenEnded = whenEnded
    self.take = take
  }

  /// Passes an input to the observer, or queues it if the observer is being called.
  ///
  /// Returns whether the sink wants more inputs.
  func receive(_ input: Input) -> Bool {
    waiting.append(input)
    if isTaking { return true }
    isTaking = true
    defer { isTaking = false }
    while !waiting.isEmpty {
      if isEnded.value || !take(waiting.removeFirst()) {
        waiting = []
        return false
      }
    }
    return true
  }

  /// Ends the sink: it passes no more inputs to the observer.
  ///
  /// After a call on the main thread, the observer is not called again. After a call on another thread, a
  /// call of the observer may still be running.
  nonisolated func end() {
    if !isEnded.exchange(true) { whenEnded() }
  }
}
