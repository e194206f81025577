internal import DeadlockDetector
internal import LockSupport
internal import Protectors

/// A mailbox that passes values from a model to a reader that awaits them.
///
/// # States
/// - *Empty*: no value, no reader. The next value is kept. A reader that arrives waits.
/// - *Filled*: values, no reader. A reader takes the first value.
/// - *Awaited*: a reader, no values. The next value resumes the reader.
/// - *Closed*: no more values will come. Values that were kept can still be fetched; then each reader gets
///   `nil`.
///
/// The mailbox never holds both a value and a waiting reader. Each reader is resumed exactly once, after the
/// lock was released. One lock orders all operations.
final class StreamMailbox<Value: Sendable>: Sendable {
  typealias Reader = CheckedContinuation<Value?, Never>

  private struct State: Sendable {
    /// The newer values, oldest first.
    var incoming: [Value] = []
    /// The older values, newest first: `popLast()` removes the oldest of all values.
    var outgoing: [Value] = []
    var reader: Reader?
    var isClosed = false

    mutating func popFirst() -> Value? {
      if outgoing.isEmpty {
        outgoing = incoming.reversed()
        incoming = []
      }
      return outgoing.popLast()
    }
  }

  /// The answer to a reader that asks for a value.
  private enum Answer {
    case value(Value)
    case end
    case later
    case twoReaders
  }

  private let buffering: StreamBuffering
  private let state = ExclusiveProtector(State())

  init(buffering: StreamBuffering) {
    self.buffering = buffering
  }

  /// Passes a value to the waiting reader, or keeps it.
  ///
  /// Returns whether more values are wanted.
  ///
  /// - Complexity: O(1), amortised.
  func put(_ value: Value) -> Bool {
    var skipped: [Value] = []
    let (reader, isOpen) = state.withWriteLock { state -> (Reader?, Bool) in
      if state.isClosed { return (nil, false) }
      if let reader = state.reader.take() { return (reader, true) }
      if buffering == .latest {
        // The new value replaces the values that wait, which are released after the unlock.
        skipped = state.incoming
        state.incoming = []
      }
      state.incoming.append(value)
      return (nil, true)
    }
    if reader != nil { checkNoLockHeld(before: "a continuation is resumed") }
    reader?.resume(returning: value)
    withExtendedLifetime(skipped) {}
    return isOpen
  }

  /// Resumes `reader` with the next value, at once or when there is one.
  func fetch(_ reader: Reader) {
    let answer: Answer = state.withWriteLock { state in
      if let value = state.popFirst() { return .value(value) }
      if state.isClosed { return .end }
      if state.reader != nil { return .twoReaders }
      state.reader = reader
      return .later
    }
    switch answer {
    case .value(let value): reader.resume(returning: value)
    case .end: reader.resume(returning: nil)
    case .later: break
    case .twoReaders:
      misuse(
        "StreamValues", "awaited by two tasks at the same time",
        "give each reader a sequence of its own, from values(buffering:)")
    }
  }

  /// Closes the mailbox.
  ///
  /// Values that were kept can still be fetched.
  func close() {
    let reader = state.withWriteLock { state in
      state.isClosed = true
      return state.reader.take()
    }
    if reader != nil { checkNoLockHeld(before: "a continuation is resumed") }
    reader?.resume(returning: nil)
  }

  /// Closes the mailbox and drops the values that were kept, because the reader's task was cancelled.
  func cancel() {
    let old = state.exchange(with: { _ in State(isClosed: true) })
    if old.reader != nil { checkNoLockHeld(before: "a continuation is resumed") }
    old.reader?.resume(returning: nil)
  }
}
