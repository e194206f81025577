import Protectors

/// A bounded blocking queue, written with `Protector` alone.
struct BlockingQueue<Element: Sendable>: Sendable {
  private struct State: Sendable {
    let capacity: Int
    var elements: [Element] = []
    var isClosed = false

    var mayPush: Bool { isClosed || elements.count < capacity }
    var mayPop: Bool { isClosed || !elements.isEmpty }
  }

  private let state: Protector<State>

  /// Makes a queue of at most `capacity` elements, which must be at least 1: a `push` into a smaller queue
  /// would wait until `close` is called.
  init(capacity: Int) {
    state = Protector(State(capacity: capacity))
  }

  /// Adds an element, after waiting for a free place.
  ///
  /// Returns `false` without adding the element if the queue is closed, even during the wait.
  func push(_ element: Element) -> Bool {
    state.withWriteLock(waitingUntil: { $0.mayPush }) { state in
      if !state.isClosed { state.elements.append(element) }
      return !state.isClosed
    }
  }

  /// Removes the oldest element, after waiting for one; returns it, or why there is none.
  ///
  /// With a timeout of `nil`, the wait has no limit.
  func pop(timeout: Duration? = nil) -> Popped {
    state.withWriteLock(waitingUntil: { $0.mayPop }, timeout: timeout) { state in
      state.elements.isEmpty ? .closed : .element(state.elements.removeFirst())
    } ?? .timedOut
  }

  /// The result of `pop`.
  enum Popped: Sendable {
    case element(Element)
    /// The queue is closed and empty.
    case closed
    case timedOut
  }

  /// Closes the queue: `push` then fails, while `pop` still removes the remaining elements.
  func close() {
    state.withWriteLock { $0.isClosed = true }
  }
}

extension BlockingQueue.Popped: Equatable where Element: Equatable {}
