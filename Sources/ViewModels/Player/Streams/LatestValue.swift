/// One of the two streams that `ModelStream.combine(_:_:)` combines: runs its stages, and keeps its latest
/// value.
struct LatestValue<Input, Value> {
  private var stage: ((Input) -> StreamStep<Value>)?

  /// The latest value; `nil` before the first value.
  private(set) var value: Value?

  init(of stage: @escaping (Input) -> StreamStep<Value>) {
    self.stage = stage
  }

  /// Whether no more values will come.
  var isOver: Bool { stage == nil }

  /// Whether this stream has ended without ever producing a value.
  var isBarren: Bool { isOver && value == nil }

  /// Passes an input of the model through the stream's stages (`map`, `take` and the like).
  ///
  /// Returns whether the stages have produced a value for this input.
  mutating func update(_ input: Input) -> Bool {
    guard let stage else { return false }
    switch stage(input) {
    case .nothing:
      return false
    case .value(let value):
      self.value = value
      return true
    case .lastValue(let value):
      self.value = value
      self.stage = nil
      return true
    case .end:
      self.stage = nil
      return false
    }
  }
}
