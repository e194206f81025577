internal import AtomicProperties

/// Where the inputs of a source go: the stages of one observer.
///
/// An input that comes while the observer is being notified, because it does something that changes the model, waits for its
/// turn: an observer is never called from inside itself.
@MainActor
final class StreamSink<Input: Sendable> {
  /// Takes an input; returns whether it wants more.
  private let take: @MainActor (Input) -> Bool

  /// Called once, at the end, on any thread.
  private nonisolated let whenEnded: @Sendable () -> Void

  private nonisolated let isEnded = LockFreeProperty(false)
  private var waiting: [Input] = []
  private var isTaking = false

  init(whenEnded: @escaping @Sendable () -> Void, _ take: @escaping @MainActor (Input) -> Bool) {
    self.whenEnded = whenEnded
    self.take = take
  }

  /// Passes an input on; returns whether the sink wants more.
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

  /// Passes nothing on any more.
  ///
  /// On another thread than the main one, an observer that is being notified meanwhile may still be running when it returns.
  nonisolated func end() {
    if !isEnded.exchange(true) { whenEnded() }
  }
}
