/// The values of a stream, as an `AsyncSequence` for one reader.
///
/// ```swift
/// for await points in model.states.map(\.points).values() { … }
/// ```
///
/// - **End**: after the stream has ended or the model has been deallocated, the reader still gets the values
///   that were kept. Then the sequence ends.
/// - **Cancellation**: when a task is cancelled while it awaits a value, the sequence ends immediately, as an
///   `AsyncStream` does. It ends for all its readers, and stops collecting values.
/// - **One reader**: the sequence has one buffer. Several iterators, one after another, share it. Awaiting a
///   value in two tasks at the same time traps. Give each reader a sequence of its own, from
///   `ModelStream.values(buffering:)`.
public struct StreamValues<Value: Sendable>: AsyncSequence, Sendable {
  /// Keeps the mailbox and the subscription alive until the sequence and all its iterators are released.
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

    /// Returns the next value; `nil` at the end.
    ///
    /// Suspends until there is a value. Cancelling the task ends the sequence, also for later readers.
    ///
    /// - Parameter actor: The caller's isolation.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
      await withTaskCancellationHandler {
        await withCheckedContinuation { feed.mailbox.fetch($0) }
      } onCancel: { [feed] in
        feed.mailbox.cancel()
      }
    }

    /// Returns the next value; `nil` at the end.
    ///
    /// Suspends until there is a value. Cancelling the task ends the sequence, also for later readers.
    public mutating func next() async -> Value? {
      // A `for await` loop calls this function only on systems before macOS 15, which lack
      // `next(isolation:)`.
      await next(isolation: nil)
    }
  }

  /// Makes an iterator.
  ///
  /// All iterators share one buffer, so each value goes to only one of them.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(feed: feed)
  }
}
