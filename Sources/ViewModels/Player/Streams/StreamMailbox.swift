internal import Observers
internal import Protectors

/// A mailbox that passes values from a model to a reader that awaits them.
///
/// # States
/// - *Empty*: no value, no reader. The next value is kept. A reader that arrives waits.
/// - *Filled*: values, no reader. A reader takes the first value.
/// - *Awaited*: a reader, no values. The next value resumes the reader.
/// - *Closed*: no more values will come. Values that were kept can still be fetched. After the last of them,
///   each reader gets `nil`.
///
/// A `DeliveryQueue` implements these states. The mailbox never holds both a value and a waiting reader. Each
/// reader is resumed exactly once, after the lock is released. One lock orders all operations.
final class StreamMailbox<Value: Sendable>: Sendable {
  typealias Reader = CheckedContinuation<Value?, Never>

  private let buffering: StreamBuffering
  private let queue = ExclusiveProtector(DeliveryQueue<Value, Reader>())

  init(buffering: StreamBuffering) {
    self.buffering = buffering
  }

  /// Passes a value to the waiting reader, or keeps it.
  ///
  /// Returns whether more values are wanted. A closed mailbox drops the value and returns `false`.
  ///
  /// - Complexity: O(1), amortised.
  func put(_ value: Value) -> Bool {
    var skipped: [Value] = []
    let (reader, isOpen) = queue.withLock { queue -> (Reader?, Bool) in
      if queue.hasEnded { return (nil, false) }
      if let reader = queue.takeReceiver() { return (reader, true) }
      // With `latest`, the new value replaces the waiting values, which are released after the unlock.
      if buffering == .latest { queue.removeAll(into: &skipped) }
      queue.append(value)
      return (nil, true)
    }
    reader?.resume(returning: value)
    withExtendedLifetime(skipped) {}
    return isOpen
  }

  /// Resumes `reader` with the next value: immediately if one is kept, otherwise when it arrives.
  ///
  /// If the mailbox is closed and empty, resumes `reader` with `nil`. Traps if another reader is waiting.
  func fetch(_ reader: Reader) {
    switch queue.withLock({ $0.receive(with: reader) }) {
    case .element(let value): reader.resume(returning: value)
    case .ended: reader.resume(returning: nil)
    case .waits: break
    case .refused:
      misuse(
        "StreamValues", "awaited by two tasks at the same time",
        "give each reader a sequence of its own, from values(buffering:)")
    }
  }

  /// Closes the mailbox, and resumes a waiting reader with `nil`.
  ///
  /// Values that were kept can still be fetched.
  func close() {
    let reader = queue.withLock { $0.end() }
    reader?.resume(returning: nil)
  }

  /// Closes the mailbox, drops the values that were kept, and resumes a waiting reader with `nil`.
  ///
  /// Must be called when the task of a reader is cancelled.
  func cancel() {
    var dropped: [Value] = []
    let reader = queue.withLock { queue in
      queue.removeAll(into: &dropped)
      return queue.end()
    }
    reader?.resume(returning: nil)
  }
}
