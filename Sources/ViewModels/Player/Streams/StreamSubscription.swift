/// A subscription to a stream.
///
/// When it is destroyed, the observer is no longer called.
///
/// It is noncopyable: keep it for as long as the observer is to be called. If an object stores it, the
/// subscription ends with that object.
///
/// A subscription may end on any thread, also in a `deinit`, because ending it waits only for the lock of a
/// list of subscriptions. After it has ended on the main actor, the observer is not called again. After it
/// has ended elsewhere, a call of the observer may still be running.
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
