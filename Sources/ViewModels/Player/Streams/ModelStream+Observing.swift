extension ModelStream {
  /// Calls `observer` with each value, until the subscription goes or the stream ends.
  ///
  /// A stream of values has its first one at once: `observer` is called before this returns.
  ///
  /// - Parameter observer: Called on the main actor, one value after another, in order. The subscription holds it: where
  ///   the owner of the subscription is needed in it, capture that weakly.
  /// - Returns: The subscription; the observer is called for as long as somebody has it.
  @MainActor
  public func observe(_ observer: @escaping @MainActor (Value) -> Void) -> StreamSubscription {
    subscribe(whenEnded: {}) { value in
      observer(value)
      return true
    }
  }

  /// The values as a sequence to be awaited, from now on.
  ///
  /// The sequence is fed from the moment of this call: nothing that comes before the first `next()` is missed.
  ///
  /// The model never waits for the reader. What the reader has not fetched yet is kept as `buffering` says: of values, the
  /// latest, so that a slow reader skips those that are out of date, and no more than one is kept; of events, all, as
  /// long as the reader takes. `skip` and `take` count what the model tells, not what the reader fetches.
  ///
  /// - Parameter buffering: What is kept for a reader that is slow; `nil`, the default, is `latest` for streams of values
  ///   and `all` for those of events.
  /// - Returns: The sequence; it stops being fed when nobody has it any more.
  @MainActor
  public func values(buffering: StreamBuffering? = nil) -> StreamValues<Value> {
    let mailbox = StreamMailbox<Value>(buffering: buffering ?? (isDistinct ? .latest : .all))
    return StreamValues(mailbox, subscribe(whenEnded: mailbox.close, mailbox.put))
  }

  /// Begins to observe.
  ///
  /// - Parameters:
  ///   - whenEnded: Called once, when no value will come any more; on any thread.
  ///   - take: Takes a value; returns whether it wants more.
  @MainActor
  private func subscribe(
    whenEnded: @escaping @Sendable () -> Void, _ take: @escaping @MainActor (Value) -> Bool
  ) -> StreamSubscription {
    guard let stage = makeStage() else {
      whenEnded()
      return StreamSubscription {}
    }
    let sink = StreamSink<Input>(whenEnded: whenEnded) { input in
      switch stage(input) {
      case .nothing:
        return true
      case .value(let value):
        return take(value)
      case .lastValue(let value):
        _ = take(value)
        return false
      case .end:
        return false
      }
    }
    source.add(sink)
    return StreamSubscription { [source] in source.remove(sink) }
  }
}
