internal import InterlockCore
internal import InterlockWaits

/// The elements that wait for a receiver, and the receiver that waits for an element.
///
/// This is the part of an `OrderedDelivery` and of the events of a source that has no lock and schedules
/// nothing. A function that takes out a receiver returns it, and the caller must wake it after the unlock.
///
/// # The receiver
/// A receiver that has found no element is kept in the queue: a continuation, or `Void` if the receiver is
/// always the same. The thread that posts an element takes the receiver out, and wakes it after the unlock.
/// So a burst of elements wakes the receiver once.
///
/// - **Order**: first in, first out.
/// - **End**: after `end()`, nothing is appended. Elements that wait can still be removed.
/// - **Blocking**: never.
package struct DeliveryQueue<Element, Receiver> {
  private var elements = FirstInFirstOut<Element>()
  private var receiver: Receiver?

  /// Whether the queue has ended.
  package private(set) var hasEnded = false

  /// Makes an empty queue.
  ///
  /// - Parameter receiver: The receiver to wake for the first element; `nil` if none waits yet.
  package init(waking receiver: Receiver? = nil) {
    self.receiver = receiver
  }

  /// The number of elements that wait.
  package var count: Int { elements.count }

  // MARK: Posting

  /// Appends an element; does nothing if the queue has been ended.
  ///
  /// - Parameter element: The element to append.
  /// - Complexity: O(1), amortised.
  package mutating func append(_ element: Element) {
    if !hasEnded { elements.append(element) }
  }

  /// Changes the newest of the elements that wait.
  ///
  /// - Parameter body: Changes the element. Not called if no element waits.
  /// - Returns: Whether an element waits.
  /// - Complexity: O(1).
  package mutating func withNewest(_ body: (inout Element) -> Void) -> Bool {
    elements.withNewest(body)
  }

  /// Takes the waiting receiver out of the queue.
  ///
  /// - Returns: The receiver, which the caller must wake after the unlock; `nil` if none waits.
  package mutating func takeReceiver() -> Receiver? {
    receiver.take()
  }

  // MARK: Receiving

  /// Removes all elements, oldest first.
  ///
  /// - Parameter spare: An empty array, which gets the elements. The queue reuses its storage, so elements in
  ///   it would be received later.
  /// - Complexity: O(1); O(*n*) if single elements were removed before.
  package mutating func removeAll(into spare: inout [Element]) {
    elements.removeAll(into: &spare)
  }

  /// Keeps a receiver until the next element is posted.
  ///
  /// The caller must have removed all elements. A receiver that is already waiting is replaced.
  ///
  /// - Parameter receiver: The receiver to wake for the next element.
  package mutating func leave(_ receiver: Receiver) {
    self.receiver = receiver
  }

  /// The answer to a receiver that asks for one element.
  package enum Reception {
    /// The oldest element.
    case element(Element)
    /// The receiver waits in the queue.
    case waits
    /// The queue has ended, and no element is left.
    case ended
    /// Another receiver is already waiting, so this one was refused.
    case refused
  }

  /// Removes and returns the oldest element; if there is none, keeps the receiver until an element is
  /// posted.
  ///
  /// - Parameter receiver: The receiver that asks.
  /// - Returns: The answer to the receiver.
  /// - Complexity: O(1), amortised.
  package mutating func receive(with receiver: Receiver) -> Reception {
    if let element = elements.removeFirst() { return .element(element) }
    if hasEnded { return .ended }
    if self.receiver != nil { return .refused }
    self.receiver = receiver
    return .waits
  }

  // MARK: The end

  /// Ends the queue: nothing is appended any more.
  ///
  /// To drop the elements that wait, remove them, and release them after the unlock.
  ///
  /// - Returns: The receiver, which the caller must wake after the unlock; `nil` if none waits.
  package mutating func end() -> Receiver? {
    hasEnded = true
    return receiver.take()
  }
}

extension DeliveryQueue: Sendable where Element: Sendable, Receiver: Sendable {}
extension DeliveryQueue.Reception: Sendable where Element: Sendable {}
