/// A first-in, first-out queue made of two stacks.
///
/// Elements are pushed to `incoming`, and popped from `outgoing`. An empty `outgoing` is refilled by
/// reversing `incoming`.
///
/// - Complexity: O(1) for each operation, amortised.
package struct FirstInFirstOut<Element> {
  private var incoming: [Element] = []
  private var outgoing: [Element] = []

  package init() {}

  package mutating func append(_ element: Element) {
    incoming.append(element)
  }

  /// Removes and returns the oldest element; `nil` when there is none.
  package mutating func removeFirst() -> Element? {
    if outgoing.isEmpty {
      outgoing = incoming.reversed()
      incoming = []
    }
    return outgoing.popLast()
  }
}

extension FirstInFirstOut: Sendable where Element: Sendable {}
