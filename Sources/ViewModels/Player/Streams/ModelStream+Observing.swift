extension ModelStream {
  /// Calls `observer` with each value, until the subscription is destroyed or the stream ends.
  ///
  /// A stream of values begins with the current value: `observer` gets that value before this function
  /// returns. A stream of events begins with the next event.
  ///
  /// - Parameter observer: Called on the main actor with one value after another, in order. The subscription
  ///   holds this closure, so the closure must capture the subscription's owner weakly.
  /// - Returns: The subscription. The observer is called while it exists.
  @MainActor
  public func observe(_ observer: @escaping @MainActor (Value) -> Void) -> StreamSubscription {
    subscribe(whenEnded: {}) { value in
      observer(value)
      return true
    }
  }

  /// Returns an `AsyncSequence` of the values from now on.
  ///
  /// The sequence collects values from the moment of this call, even before the first `next()`.
  ///
  /// The model never waits for the reader. `buffering` says which values are kept until the reader fetches
  /// them. `skip` and `take` count the values that the model sends, not those that the reader fetches.
  ///
  /// - Parameter buffering: Which values are kept for a slow reader. With `nil`, the default, a stream of
  ///   values keeps only the latest one, and a stream of events keeps all (see `ModelStream`).
  /// - Returns: The sequence. It stops collecting when it is released.
  @MainActor
  public func values(buffering: StreamBuffering? = nil) -> StreamValues<Value> {
    let mailbox = StreamMailbox<Value>(buffering: buffering ?? (isDistinct ? .latest : .all))
    return StreamValues(mailbox, subscribe(whenEnded: mailbox.close, mailbox.put))
  }

  /// Subscribes to the stream until the returned subscription is destroyed.
  ///
  /// - Parameters:
  ///   - whenEnded: Called once, on any thread, when no more values will come: when the stream or the
  ///     subscription has ended.
  ///   - take: Called with each value; returns whether more values are wanted.
  @MainActor
  private func subscribe(
    whenEnded: @escaping @Sendable () -> Void, _ take: @escaping @MainActor (Value) -> Bool
  ) -> StreamSubscription {
    guard let stage = makeStage() else {
      whenEnded()
      return StreamSubscription(whenEnded: {})
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
    return StreamSubscription(whenEnded: { [source] in source.remove(sink) })
  }
}
