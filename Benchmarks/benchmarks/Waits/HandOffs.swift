/// Lets two threads take turns; the suite "waits" measures the implementations.
protocol TurnTaking: Sendable {
  /// Waits until it is the turn of `player`, 0 or 1, and passes the turn to the other player.
  ///
  /// Player 0 begins.
  func takeTurn(_ player: Int)
}

/// A queue of at most `Ring.capacity` elements; the suite "waits" measures the implementations.
protocol BoundedQueue: Sendable {
  /// Waits while the queue is full, and then adds an element.
  func push(_ element: Int)

  /// Waits while the queue is empty, and then removes and returns the oldest element.
  func pop() -> Int
}
