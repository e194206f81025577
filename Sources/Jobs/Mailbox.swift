internal import InterlockCore
public import InterlockWaits
public import Protectors
internal import UnfairLocks

/// A bounded queue between tasks: those that send wait for room, and those that receive wait for an element.
///
/// ```swift
/// let pages = Mailbox<Page>(capacity: 10)
///
/// guard try await pages.send(page) else { return }            // the mailbox has ended
/// while let page = try await pages.receive() { show(page) }   // in another task, until the end
/// ```
///
/// Waiting tasks are served one at a time: a receiver whose executor is busy, such as the main actor's, keeps those
/// behind it waiting as long. Receive on another executor, and pass on from there what a busy actor needs.
///
/// A mailbox is an asynchronous sequence of its elements: `for await page in pages` receives them. Threads that
/// must wait take the bounded queue of the article *Protectors*.
///
/// # The bug it prevents
/// An `AsyncStream` never lets its producer wait: its buffer grows without a bound, or drops elements. It ends for
/// all its consumers when one of them is cancelled.
///
/// # Guarantees
/// - **Order**: first in, first out. Each element goes to one receiver.
/// - **Bound**: at most `capacity` elements are in the mailbox.
/// - **Cancellation**: a task that is cancelled, even before the call, sends or receives where it need not wait. A wait
///   throws `CancellationError`, unless the task was served before; a `for await` loop ends then, as with an `AsyncStream`.
///   No element that was sent is lost.
/// - **End**: `finish()` refuses later elements and those of waiting senders. Receivers get the others, and then
///   `nil`.
/// - **No lock** is held while an element is destroyed.
///
/// - **Blocking**: only while another thread holds the lock, for a short time. Waiting tasks are suspended.
/// - **Fairness**: waiting senders are served in the order of their arrival, and so are waiting receivers; the two kinds
///   take turns. Calls of `send` and `receive` that need not wait overtake a served task at most 64 times; `sendIfRoom`
///   may do it always.
/// - **Deadlocks it permits**: a receiver for which nobody sends or finishes the mailbox; a sender for which nobody
///   receives. Waiting tasks are served one at a time, so one whose executor is busy delays those behind it, of both
///   kinds. On an executor that runs jobs where they are enqueued, a receiver runs inside the call that sends.
/// - **Misuse that traps**: a capacity below 1.
/// - **Cost**: if each side waits for the other at each element, as with a capacity of 1, two to three times the processor
///   time of an actor with continuations: each wait can be cancelled, and waits its turn in a list. With room for 64
///   elements it is a fraction of the actor's.
/// - **Memory**: proportional to the greatest number of elements that were in the mailbox. An element that nobody
///   receives is destroyed with the mailbox.
public final class Mailbox<Element: Sendable>: AsyncSequence, Sendable {
  @usableFromInline
  @frozen
  struct State: Sendable {
    @usableFromInline
    let capacity: Int
    @usableFromInline
    var elements = FirstInFirstOut<Element>()
    @usableFromInline
    var isFinished = false

    @_alwaysEmitIntoClient
    var hasRoom: Bool { elements.count < capacity }

    /// Appends an element if the mailbox takes one; returns whether it does.
    @_alwaysEmitIntoClient
    mutating func append(_ element: Element) -> Bool {
      guard hasRoom, !isFinished else { return false }
      elements.append(element)
      return true
    }
  }

  @usableFromInline
  let state: ExclusiveProtector<State>
  @usableFromInline
  let hasRoomOrIsFinished: WaitCondition<State>
  @usableFromInline
  let hasElementOrIsFinished: WaitCondition<State>

  /// Makes an empty mailbox.
  ///
  /// - Parameters:
  ///   - capacity: The maximum number of elements in the mailbox. A number below 1 traps.
  ///   - label: The name of the mailbox's protector in reports of `DeadlockDetection`; without that trait it costs
  ///     nothing.
  ///   - file: The file in those reports.
  ///   - line: The line in those reports.
  public init(
    capacity: Int, label: StaticString = "", file: StaticString = #fileID, line: UInt = #line
  ) {
    if capacity < 1 { misuse("Mailbox", "made with a capacity of \(capacity)", "pass at least 1") }
    state = ExclusiveProtector(State(capacity: capacity), label: label, file: file, line: line)
    hasRoomOrIsFinished = state.condition { $0.hasRoom || $0.isFinished }
    hasElementOrIsFinished = state.condition { $0.elements.count > 0 || $0.isFinished }
  }

  // Clients compile the functions for their own elements: generic code that is not specialized takes eight times as long.

  // MARK: Sending

  /// Sends an element as soon as there is room; suspends the task until then.
  ///
  /// A task that is already cancelled takes room that is free, and throws only where it would wait.
  ///
  /// - **Wait**: it ends with room or the mailbox; a task that is cancelled before or while it waits throws; no
  ///   timeout; one at a time, in order of arrival; no priority is lent; its throw sends nothing.
  ///
  /// - Parameters:
  ///   - element: The element, which is dropped if the mailbox does not take it.
  ///   - isolation: The caller's isolation.
  /// - Returns: Whether the mailbox has taken the element; `false` if it has ended.
  /// - Throws: `CancellationError` if the task was cancelled while it waited for room.
  /// - Complexity: O(1), amortized.
  @_alwaysEmitIntoClient
  @inline(always)
  public func send(_ element: Element, isolation: isolated (any Actor)? = #isolation) async throws -> Bool {
    try await state.withLock(waitingUntil: hasRoomOrIsFinished) { $0.append(element) }
  }

  /// Sends an element, if there is room.
  ///
  /// Never waits for room. It can be called on any thread, and inside a critical section. It may take room before
  /// the tasks that wait.
  ///
  /// - Parameter element: The element, which is dropped if the result is `false`.
  /// - Returns: Whether the mailbox has taken the element; `false` if it has ended, or is full.
  /// - Complexity: O(1), amortized.
  @_alwaysEmitIntoClient
  public func sendIfRoom(_ element: Element) -> Bool {
    state.withLock { $0.append(element) }
  }

  // MARK: Receiving

  /// Receives the first element as soon as there is one; suspends the task until then.
  ///
  /// A task that is already cancelled receives an element that is there, and throws only where it would wait.
  ///
  /// - **Wait**: it ends with an element or the mailbox; a task that is cancelled before or while it waits throws;
  ///   no timeout; one at a time, in order of arrival; no priority is lent; its throw takes no element.
  ///
  /// - Parameter isolation: The caller's isolation.
  /// - Returns: The element; `nil` if the mailbox has ended and is empty.
  /// - Throws: `CancellationError` if the task was cancelled while it waited for an element.
  /// - Complexity: O(1), amortized.
  @_alwaysEmitIntoClient
  @inline(always)
  public func receive(isolation: isolated (any Actor)? = #isolation) async throws -> Element? {
    try await state.withLock(waitingUntil: hasElementOrIsFinished) { $0.elements.removeFirst() }
  }

  /// Receives one element after another; iterators share the elements.
  @frozen
  public struct AsyncIterator: AsyncIteratorProtocol {
    @usableFromInline
    let mailbox: Mailbox

    @_alwaysEmitIntoClient
    init(mailbox: Mailbox) { self.mailbox = mailbox }

    /// Receives an element; it waits as `receive()` does, but without an error.
    ///
    /// - Returns: The element; `nil` at the end, and if the task was cancelled while it waited.
    @_alwaysEmitIntoClient
    public mutating func next() async -> Element? { try? await mailbox.receive() }

    /// Receives an element, as `next()` does.
    ///
    /// - **Wait**: it ends with an element or the mailbox; cancellation ends the sequence; no timeout; one at a
    ///   time, in order of arrival; no priority is lent; it throws nothing.
    ///
    /// - Parameter actor: The caller's actor.
    @_alwaysEmitIntoClient
    @inline(always)
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      try? await mailbox.receive()
    }
  }

  /// Makes an iterator, which receives elements.
  @_alwaysEmitIntoClient
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(mailbox: self) }

  // MARK: The end

  /// Ends the mailbox: it takes no more elements.
  ///
  /// Elements that are in it can be received. Waiting senders get `false`, and waiting receivers `nil`. Later calls
  /// have no effect. It can be called on any thread, and inside a critical section.
  @_alwaysEmitIntoClient
  public func finish() { state.withLock { $0.isFinished = true } }
}
