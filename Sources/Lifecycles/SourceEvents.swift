/// The events of an `ActivatedSource`, for one task to await.
///
/// ```swift
/// var setup = Setup<ActivatedSource<TimerEvent>>(.timer(after: .zero, every: .seconds(1), on: queue))
/// let ticks = setup.configuration.makeEvents()
/// let activation = setup.activate()
/// for await tick in ticks { show(tick.count) }
/// await activation.invalidate()
/// ```
///
/// - **End**: the sequence ends when the source is invalidated; an event that has not been asked for by then is dropped.
/// - **Cancellation**: when the task that awaits is cancelled, the sequence ends at once and the source is invalidated,
///   on its queue. Leaving the loop in another way leaves the source as it is.
/// - **Slow consumers**: at most one event is kept. Those that come meanwhile become one with it, as libdispatch's own
///   data does: counts and sums add up, bits combine, and of byte counts and replaced numbers the last one holds.
/// - **One consumer**: a second task that awaits while another does traps.
public struct SourceEvents<Event: SourceEvent>: AsyncSequence, Sendable {
  let mailbox: EventMailbox<Event>

  /// Asks for one event after another.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let mailbox: EventMailbox<Event>

    /// The next event; `nil` at the end.
    public mutating func next() async -> Event? {
      await mailbox.next()
    }

    /// The next event; `nil` at the end.
    ///
    /// - Parameter actor: Where the caller is.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Event? {
      await mailbox.next()
    }
  }

  /// Where a loop over the events begins.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(mailbox: mailbox)
  }
}
