/// That somebody observes a stream; when it goes, the observer is called no more.
///
/// It can't be copied and is not needed for anything but its end: keep it for as long as the observer is to be called, which
/// the compiler reminds of, and it is over with its owner.
///
/// It is no registration that keeps anything alive: the stream's observer does not hold the subscription, and ending it
/// waits for nothing but a lock that is held for a list alone. So it may end on any thread, also in a deinit. Ended on the
/// main actor, the observer is not called again; ended elsewhere, a call that is under way may still be running.
public struct StreamSubscription: ~Copyable, Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) {
    self.end = end
  }

  deinit {
    end()
  }

  /// Ends it now.
  ///
  /// - Complexity: O(number of observers of the model).
  public consuming func cancel() {}
}
