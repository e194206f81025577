/// A queue of two stacks: one that is filled, and one, in reverse, that is emptied.
///
/// - Complexity: O(1) for each operation, amortised.
struct FirstInFirstOut<Element> {
  private var incoming: [Element] = []
  private var outgoing: [Element] = []

  mutating func append(_ element: Element) {
    incoming.append(element)
  }

  /// The element that came first; `nil` when there is none.
  mutating func removeFirst() -> Element? {
    if outgoing.isEmpty {
      outgoing = incoming.reversed()
      incoming = []
    }
    return outgoing.popLast()
  }
}

extension FirstInFirstOut: Sendable where Element: Sendable {}
