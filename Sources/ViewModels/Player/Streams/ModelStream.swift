/// Values that a model tells its observers, one after another, and what is derived from them.
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
/// A stream is a recipe: nothing runs until somebody observes it, and each observer has counters and memory of its own.
///
/// # No half-updated combination
/// All stages of a stream work on the same input in the same step. A combination of two streams is not notified twice when
/// one transaction changes both, and never has the new value of one with the old value of the other. Streams of different
/// models can't be combined: there is no moment at which both are up to date. (Models of different kinds: does not compile;
/// two models of one kind: traps.)
///
/// - **Distinct values**: streams of values leave out what equals the value before it, at every stage, so that `skip` and
///   `take` count changes. Streams of events leave out nothing.
/// - **Where**: observers are called on the main actor, and so are the closures of the stages, which should depend on nothing
///   but their arguments.
/// - **Its end**: after `take`, when the subscription ends, and when the model is released.
///
/// `Input` is what the model tells; `Value` is what comes out.
public struct ModelStream<Input: Sendable, Value: Sendable & Equatable>: Sendable {
  typealias Stage = (Input) -> StreamStep<Value>

  let source: StreamSource<Input>

  /// Whether a value that equals the one before it is left out.
  let isDistinct: Bool

  /// Makes the stages for one observer, which keep what they have to remember; `nil` when there will be no value.
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

  /// Leaves out what equals the value before it.
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
  /// What a source has now and later, as far as it changes.
  init(values source: StreamSource<Input>) {
    self.init(source: source, isDistinct: true) { { input in .value(input) } }
  }

  /// What a source sends.
  init(events source: StreamSource<Input>) {
    self.init(source: source, isDistinct: false) { { input in .value(input) } }
  }
}
