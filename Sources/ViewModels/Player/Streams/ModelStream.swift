/// A stream of values that a model sends to its observers, or of values derived from them.
///
/// ```swift
/// let form = model.states
/// let isValid = form.map(\.isValid)                               // distinct values only
/// let title = form.map(\.name).combine(form.map(\.points)) { "\($0): \($1)" }
///
/// let subscription = isValid.observe { button.isEnabled = $0 }     // now, and after each change
/// for await text in await title.values() { … }
/// ```
///
/// A *stream of values*, for example of a state, begins with the current value. A *stream of events* has no
/// current value. `map`, `take` and the other functions that derive a stream add a *stage* to it. Making a
/// stream calls none of its closures. Each observer has its own copy of the stages, with their counters and
/// stored values.
///
/// # No half-updated combination
/// `combine` makes one stream from two streams of the same model. If one change of the model changes both
/// streams, observers of the combined stream are notified once. They never get the new value of one stream
/// with the old value of the other. To ensure this, all stages process one value from the model before any
/// stage processes the next.
///
/// Streams of different models can't be combined, because there is no moment at which both are up to date.
/// Combining them does not compile if the models send values of different types, and traps otherwise.
///
/// - **Distinct values**: each stage of a stream of values omits a value that equals its predecessor. So
///   `skip` and `take` count changes. A stream of events omits nothing.
/// - **Isolation**: observers and the closures of stages are called on the main actor. The result of a
///   stage's closure should depend only on its arguments.
/// - **End**: a stream ends for an observer after the last value of `take`, when the observer's subscription
///   ends, or when the model is deallocated.
///
/// `Input` is the type of the values that the model sends. `Value` is the type of the values that observers
/// get.
public struct ModelStream<Input: Sendable, Value: Sendable & Equatable>: Sendable {
  typealias Stage = (Input) -> StreamStep<Value>

  let source: StreamSource<Input>

  /// Whether the stream omits a value that equals its predecessor.
  let isDistinct: Bool

  /// Makes the stages (`map`, `take` and the like) with their state for one observer.
  ///
  /// Returns `nil` if the stream has no values at all.
  let makeStage: @Sendable () -> Stage?

  init(source: StreamSource<Input>, isDistinct: Bool, makeStage: @escaping @Sendable () -> Stage?) {
    self.source = source
    self.isDistinct = isDistinct
    guard isDistinct else {
      self.makeStage = makeStage
      return
    }
    self.makeStage = {
      guard let stage = makeStage() else { return nil }
      return Self.distinct(stage)
    }
  }

  /// Returns the given stages followed by one more, which omits each value that equals its predecessor.
  private static func distinct(_ stage: @escaping Stage) -> Stage {
    var last: Value?
    return { input in
      let step = stage(input)
      switch step {
      case .value(let value):
        if value == last { return .nothing }
        last = value
        return step
      case .lastValue(let value):
        return value == last ? .end : step
      case .nothing, .end:
        return step
      }
    }
  }
}

extension ModelStream where Input == Value {
  /// Makes a stream of a source's current value and its later values; it omits a value that equals its
  /// predecessor.
  init(values source: StreamSource<Input>) {
    self.init(source: source, isDistinct: true) { { input in .value(input) } }
  }

  /// Makes a stream of all events that a source sends.
  init(events source: StreamSource<Input>) {
    self.init(source: source, isDistinct: false) { { input in .value(input) } }
  }
}
