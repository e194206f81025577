extension ModelStream {
  /// Calls `observer` with each value, until the subscription is destroyed or the stream ends.
  ///
  /// For a stream of values it calls `observer` with the current value before it returns.
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

  /// The values from now on as a sequence to await.
  ///
  /// The sequence collects values from the moment of this call, so none is missed before the first `next()`.
  ///
  /// The model never waits for the reader. `buffering` says which values are kept until the reader fetches
  /// them. By default a stream of values keeps the latest, so a slow reader skips earlier ones. A stream of
  /// events keeps all. `skip` and `take` count the values that the model sends, not those that the reader
  /// fetches.
  ///
  /// - Parameter buffering: Which values are kept for a slow reader. `nil`, the default, is `latest` for
  ///   streams of values and `all` for streams of events.
  /// - Returns: The sequence. It stops collecting when it is released.
  @MainActor
  public func values(buffering: StreamBuffering? = nil) -> StreamValues<Value> {
    let mailbox = StreamMailbox<Value>(buffering: buffering ?? (isDistinct ? .latest : .all))
    return StreamValues(mailbox, subscribe(whenEnded: mailbox.close, mailbox.put))
  }

  /// Subscribes to the stream.
  ///
  /// - Parameters:
  ///   - whenEnded: Called once, on any thread, when no more values will come.
  ///   - take: Called with each value; returns whether more values are wanted.
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
