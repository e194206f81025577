import Protectors

/// A queue of bounded size whose users wait for one another, written with nothing but `Protector`.
struct BlockingQueue<Element: Sendable>: Sendable {
  private struct State: Sendable {
    let capacity: Int
    var elements: [Element] = []
    var isClosed = false

    var mayPush: Bool { isClosed || elements.count < capacity }
    var mayPop: Bool { isClosed || !elements.isEmpty }
  }

  private let state: Protector<State>

  /// A queue of at most `capacity` elements.
  init(capacity: Int) {
    state = Protector(State(capacity: capacity))
  }

  /// Waits for a free place; `false`, and the element is not in the queue, when the queue is closed.
  func push(_ element: Element) -> Bool {
    state.withWriteLock(waitingUntil: { $0.mayPush }) { state in
      if !state.isClosed { state.elements.append(element) }
      return !state.isClosed
    }
  }

  /// Waits for an element, for at most `timeout`.
  func pop(timeout: Duration? = nil) -> Popped {
    state.withWriteLock(waitingUntil: { $0.mayPop }, timeout: timeout) { state in
      state.elements.isEmpty ? .closed : .element(state.elements.removeFirst())
    } ?? .timedOut
  }

  /// What there was to take.
  enum Popped: Sendable {
    case element(Element)
    /// The queue is empty and will stay so.
    case closed
    case timedOut
  }

  /// Lets nothing in any more; what is in can still be taken.
  func close() {
    state.withWriteLock { $0.isClosed = true }
  }
}

extension BlockingQueue.Popped: Equatable where Element: Equatable {}
