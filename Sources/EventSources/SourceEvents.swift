/// The events of an `ActivatedSource`, for one task to await.
///
/// ```swift
/// var setup = Setup<ActivatedSource<TimerEvent>>(.timer(every: .seconds(1), on: queue))
/// let ticks = setup.configuration.makeEvents()
/// await setup.withActivation { _ in
///   for await tick in ticks { show(tick.count) }
/// }
/// ```
///
/// - **End**: the sequence ends when the source is invalidated. An event that was kept until then is dropped. If the
///   setup is dropped without an activation, there is no source, and a task waits until it is cancelled.
/// - **Cancellation**: when the awaiting task is cancelled, the sequence ends immediately and the source is
///   invalidated, on its queue. Leaving the loop in another way has no effect on the source.
/// - **Slow consumers**: at most one event is kept. Later events are combined with it, as libdispatch
///   combines its own data: counts and sums are added, bits are combined, and a new byte count or replaced
///   number overwrites the old one. A source of a descriptor without a handler is suspended from an event until the
///   task asks for the next one, because a descriptor that stays ready has event after event.
/// - **One consumer**: a second task that awaits at the same time traps.
public struct SourceEvents<Event: SourceEvent>: AsyncSequence, Sendable {
  let mailbox: EventMailbox<Event>

  init(mailbox: EventMailbox<Event>) {
    self.mailbox = mailbox
  }

  /// Awaits one event after another; only one task at a time may use it.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let mailbox: EventMailbox<Event>

    /// The next event; `nil` at the end.
    ///
    /// It waits as `next(isolation:)` does.
    public mutating func next() async -> Event? {
      await mailbox.next()
    }

    /// The next event; `nil` at the end.
    ///
    /// Suspends the task until there is an event. Traps if another task awaits an event at the same time.
    ///
    /// - **Wait**: it ends with an event or the source; cancellation ends the sequence, and invalidates the source;
    ///   no timeout; one task alone; no priority is lent; it throws nothing.
    ///
    /// - Parameter actor: The caller's actor.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Event? {
      await mailbox.next()
    }
  }

  /// Makes an iterator over the events.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(mailbox: mailbox)
  }
}
