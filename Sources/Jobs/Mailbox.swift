internal import InterlockCore
public import InterlockWaits
public import Protectors
internal import ReadWriteLocks
internal import UnfairLocks

/// A bounded queue between tasks: those that send wait for room, and those that receive wait for an element.
///
/// ```swift
/// let pages = Mailbox<Page>(capacity: 10)
///
/// guard await pages.send(page) else { return }                // too late, or the task was cancelled
/// while let page = await pages.receive() { show(page) }       // in another task, until the end
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
/// - **Cancellation**: a task that is cancelled while it waits goes on without having sent or received, unless it was
///   served before. No element that was sent is lost.
/// - **End**: `end()` refuses later elements and those of waiting senders. Receivers get the others, and then
///   `nil`.
/// - **No lock** is held while an element is destroyed.
///
/// - **Blocking**: only while another thread holds the lock, for a short time. Waiting tasks are suspended.
/// - **Fairness**: waiting senders are served in the order of their arrival, and so are waiting receivers; the two kinds
///   take turns. Calls of `send` and `receive` that need not wait overtake a served task at most 64 times; `sendIfRoom`
///   may do it always.
/// - **Deadlocks it permits**: a receiver for which nobody sends or ends the mailbox; a sender for which nobody
///   receives. Waiting tasks are served one at a time, so one whose executor is busy delays those behind it, of both
///   kinds. On an executor that runs jobs where they are enqueued, a receiver runs inside the call that sends.
/// - **Misuse that traps**: a capacity below 1.
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
    var hasEnded = false

    @_alwaysEmitIntoClient
    var hasRoom: Bool { elements.count < capacity }

    /// Appends an element if the mailbox takes one; returns whether it does.
    @_alwaysEmitIntoClient
    mutating func append(_ element: Element) -> Bool {
      guard hasRoom, !hasEnded else { return false }
      elements.append(element)
      return true
    }
  }

  @usableFromInline
  let state: ExclusiveProtector<State>
  @usableFromInline
  let hasRoomOrEnded: WaitCondition<State>
  @usableFromInline
  let hasElementOrEnded: WaitCondition<State>

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
    hasRoomOrEnded = state.condition { $0.hasRoom || $0.hasEnded }
    hasElementOrEnded = state.condition { $0.elements.count > 0 || $0.hasEnded }
  }

  // Clients compile the functions for their own elements: generic code that is not specialized takes eight times as long.

  // MARK: Sending

  /// Sends an element as soon as there is room; suspends the task until then.
  ///
  /// A task that is already cancelled does not wait.
  ///
  /// - Parameters:
  ///   - element: The element, which is dropped if the result is `false`.
  ///   - isolation: The caller's isolation.
  /// - Returns: Whether the mailbox has taken the element; `false` if it has ended, or the task was cancelled before
  ///   there was room that it may take.
  /// - Complexity: O(1), amortized.
  @_alwaysEmitIntoClient
  public func send(_ element: Element, isolation: isolated (any Actor)? = #isolation) async -> Bool {
    await state.withLock(waitingUntil: hasRoomOrEnded) { $0.append(element) } ?? false
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
  /// A task that is already cancelled does not wait, and may receive an element that is there.
  ///
  /// - Parameter isolation: The caller's isolation.
  /// - Returns: The element; `nil` if the mailbox has ended and is empty, or the task was cancelled before
  ///   it had one.
  /// - Complexity: O(1), amortized.
  @_alwaysEmitIntoClient
  public func receive(isolation: isolated (any Actor)? = #isolation) async -> Element? {
    await state.withLock(waitingUntil: hasElementOrEnded) { $0.elements.removeFirst() } ?? nil
  }

  /// Receives one element after another; iterators share the elements.
  @frozen
  public struct AsyncIterator: AsyncIteratorProtocol {
    @usableFromInline
    let mailbox: Mailbox

    @_alwaysEmitIntoClient
    init(mailbox: Mailbox) { self.mailbox = mailbox }

    /// Receives an element, as `receive()` does.
    @_alwaysEmitIntoClient
    public mutating func next() async -> Element? { await mailbox.receive() }

    /// Receives an element, as `receive()` does.
    ///
    /// - Parameter actor: The caller's actor.
    @_alwaysEmitIntoClient
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await mailbox.receive()
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
  public func end() { state.withLock { $0.hasEnded = true } }
}
