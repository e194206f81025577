/// A first-in, first-out queue made of two stacks.
///
/// Elements are pushed to `incoming`, and popped from `outgoing`. An empty `outgoing` is refilled by
/// reversing `incoming`.
///
/// - Complexity: O(1) for each operation, amortised.
@usableFromInline
@frozen
package struct FirstInFirstOut<Element> {
  /// The newer elements, oldest first.
  @usableFromInline var incoming: [Element] = []
  /// The older elements, newest first.
  @usableFromInline var outgoing: [Element] = []

  @_alwaysEmitIntoClient
  package init() {}

  @_alwaysEmitIntoClient
  package var count: Int { incoming.count + outgoing.count }

  @_alwaysEmitIntoClient
  package mutating func append(_ element: Element) {
    incoming.append(element)
  }

  /// Removes and returns the oldest element; `nil` if the queue is empty.
  @_alwaysEmitIntoClient
  package mutating func removeFirst() -> Element? {
    if outgoing.isEmpty {
      // Swapping the arrays, instead of copying, keeps the capacity of both.
      swap(&incoming, &outgoing)
      outgoing.reverse()
    }
    return outgoing.popLast()
  }
}

extension FirstInFirstOut: Sendable where Element: Sendable {}
