/// A first-in, first-out queue made of two stacks.
///
/// Elements are pushed to `incoming`, and popped from `outgoing`. An empty `outgoing` is refilled by
/// reversing `incoming`.
///
/// - Complexity: O(1) for each operation, amortised; O(*n*) for `removeAll` after a `removeFirst`.
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

  /// Runs `body` with the newest element, which it may change; returns `false` if the queue is empty.
  @_alwaysEmitIntoClient
  package mutating func withNewest(_ body: (inout Element) -> Void) -> Bool {
    if !incoming.isEmpty {
      body(&incoming[incoming.count - 1])
    } else if !outgoing.isEmpty {
      body(&outgoing[0])
    } else {
      return false
    }
    return true
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

  /// Moves all elements to `spare`, oldest first, and takes over the capacity of `spare`.
  ///
  /// `spare` must be empty: its elements would become elements of the queue.
  @_alwaysEmitIntoClient
  package mutating func removeAll(into spare: inout [Element]) {
    swap(&incoming, &spare)
    if !outgoing.isEmpty {
      spare = outgoing.reversed() + spare
      outgoing = []
    }
  }
}

extension FirstInFirstOut: Sendable where Element: Sendable {}
