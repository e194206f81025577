/// The elements of a bounded queue in a ring buffer, without locking.
///
/// All implementations of `BoundedQueue` use such a ring.
struct Ring: Sendable {
  static let capacity = 64

  private var places = [Int](repeating: 0, count: capacity)
  private var pushed = 0
  private var popped = 0

  var isEmpty: Bool { pushed == popped }
  var isFull: Bool { pushed - popped == Self.capacity }

  /// Adds an element; the ring must not be full, or its oldest element is overwritten.
  mutating func push(_ element: Int) {
    places[pushed % Self.capacity] = element
    pushed += 1
  }

  /// Removes and returns the oldest element; the ring must not be empty, which is not checked.
  mutating func pop() -> Int {
    defer { popped += 1 }
    return places[popped % Self.capacity]
  }
}
