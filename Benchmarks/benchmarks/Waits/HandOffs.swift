/// Two threads that take turns.
protocol TurnTaking: Sendable {
  /// Waits until it is the turn of `player`, 0 or 1, and passes the turn to the other player.
  ///
  /// Player 0 begins.
  func takeTurn(_ player: Int)
}

/// A queue of at most `Ring.capacity` elements.
protocol BoundedQueue: Sendable {
  /// Waits while the queue is full.
  func push(_ element: Int)

  /// Waits while the queue is empty.
  func pop() -> Int
}
