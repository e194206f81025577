internal import PlatformLocks
internal import Protectors

/// Values on their way from a model to a reader that awaits them.
///
/// # States
/// - *Empty*: no value, no reader. The next value is kept; a reader becomes the one that waits.
/// - *Filled*: values, no reader. A reader takes the first.
/// - *Awaited*: a reader, no values. The next value goes to it.
/// - *Closed*: no value comes any more. Values that are kept are still fetched; then each reader gets `nil`.
///
/// Never are there a value and a reader that waits. Each reader is resumed exactly once, after the lock was released: by the value
/// that it takes out of the state, by the end, or at once. One lock orders all of it.
final class StreamMailbox<Value: Sendable>: Sendable {
  typealias Reader = CheckedContinuation<Value?, Never>

  private struct State: Sendable {
    /// Values in order of their coming, from the first to be fetched.
    var incoming: [Value] = []
    /// Values that came before those, in reverse order: the first to be fetched is the last.
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

  /// What is said to a reader that comes.
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

  /// Passes a value to the reader that waits, or keeps it; returns whether more are wanted.
  ///
  /// - Complexity: O(1), amortised.
  func put(_ value: Value) -> Bool {
    var skipped: [Value] = []
    let (reader, isOpen) = state.withWriteLock { state -> (Reader?, Bool) in
      if state.isClosed { return (nil, false) }
      if let reader = state.reader.take() { return (reader, true) }
      if buffering == .latest {
        // What is skipped is released after the unlock.
        skipped = state.incoming
        state.incoming = []
      }
      state.incoming.append(value)
      return (nil, true)
    }
    reader?.resume(returning: value)
    withExtendedLifetime(skipped) {}
    return isOpen
  }

  /// Resumes `reader` with the next value: at once, or when there is one.
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

  /// No value comes any more; those that are kept are still fetched.
  func close() {
    let reader = state.withWriteLock { state in
      state.isClosed = true
      return state.reader.take()
    }
    reader?.resume(returning: nil)
  }

  /// The reader's task was cancelled: no value comes any more, and none is fetched.
  func cancel() {
    let old = state.exchange(with: { _ in State(isClosed: true) })
    old.reader?.resume(returning: nil)
  }
}
