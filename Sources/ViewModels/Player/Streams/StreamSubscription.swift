/// A subscription to a stream.
///
/// When it is destroyed, the observer is no longer called.
///
/// It is noncopyable: keep it for as long as the observer is to be called. If an object stores it, the
/// subscription ends with that object.
///
/// The observer does not hold the subscription. Ending it only waits for a lock that guards a list. So it may
/// end on any thread, also in a deinit. If it ends on the main actor, the observer is not called again. If it
/// ends elsewhere, a running call may not have ended yet.
public struct StreamSubscription: ~Copyable, Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) {
    self.end = end
  }

  deinit {
    end()
  }

  /// Ends the subscription now.
  ///
  /// - Complexity: O(number of observers of the model).
  public consuming func cancel() {}
}
