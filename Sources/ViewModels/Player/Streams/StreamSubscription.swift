/// A subscription to a stream; it ends when this value is destroyed.
///
/// Keep the subscription for as long as the observer is to be called. It is noncopyable, so it has one owner.
/// If an object stores it, the subscription ends with that object.
///
/// A subscription can end on any thread, even in a `deinit`, because ending it never waits for an observer.
/// After it has ended on the main actor, the observer is not called again. After it has ended elsewhere, a
/// call of the observer may still be running.
public struct StreamSubscription: ~Copyable, Sendable {
  private let whenEnded: @Sendable () -> Void

  init(whenEnded: @escaping @Sendable () -> Void) {
    self.whenEnded = whenEnded
  }

  deinit {
    whenEnded()
  }

  /// Ends the subscription now.
  ///
  /// - Complexity: O(number of observers of the model).
  public consuming func end() {}
}
