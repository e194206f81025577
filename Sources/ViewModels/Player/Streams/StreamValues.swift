/// The values of a stream as a sequence for one reader to await.
///
/// ```swift
/// for await points in model.states.map(\.points).values() { … }
/// ```
///
/// - **Its end**: after the values that were kept, when the stream has ended or the model was released.
/// - **Cancellation**: when a task is cancelled that awaits a value, the sequence ends at once, as an `AsyncStream` does. It ends
///   for later readers too: without a reader, it would keep values for as long as somebody has it.
/// - **One reader**: the sequence has one buffer. Several iterators, one after another, share it; two tasks that wait for a
///   value at the same time trap. Each reader should have a sequence of its own, from `ModelStream.values(buffering:)`.
public struct StreamValues<Value: Sendable>: AsyncSequence, Sendable {
  /// What the sequence and its iterators keep alive.
  fileprivate final class Feed: Sendable {
    let mailbox: StreamMailbox<Value>
    let subscription: StreamSubscription

    init(_ mailbox: StreamMailbox<Value>, _ subscription: consuming StreamSubscription) {
      self.mailbox = mailbox
      self.subscription = subscription
    }
  }

  private let feed: Feed

  init(_ mailbox: StreamMailbox<Value>, _ subscription: consuming StreamSubscription) {
    feed = Feed(mailbox, subscription)
  }

  /// An iterator that fetches the values of the sequence.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let feed: Feed

    /// The next value; `nil` at the end.
    ///
    /// Cancelling the task ends the sequence, also for later readers.
    ///
    /// It suspends until there is a value.
    ///
    /// - Parameter actor: The caller's actor.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Value? {
      await withTaskCancellationHandler {
        await withCheckedContinuation { feed.mailbox.fetch($0) }
      } onCancel: { [feed] in
        feed.mailbox.cancel()
      }
    }
  }

  /// Makes an iterator.
  ///
  /// All iterators share one buffer.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(feed: feed)
  }
}
