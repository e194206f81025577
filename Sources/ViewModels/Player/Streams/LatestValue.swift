/// A stage of a stream with its latest output: one side of a combination.
struct LatestValue<Input, Value> {
  private var stage: ((Input) -> StreamStep<Value>)?

  /// The latest value; `nil` before the first.
  private(set) var value: Value?

  init(of stage: @escaping (Input) -> StreamStep<Value>) {
    self.stage = stage
  }

  /// Whether no more values will come.
  var isOver: Bool { stage == nil }

  /// Whether there was no value, and none will come.
  var isBarren: Bool { isOver && value == nil }

  /// Passes an input through the stage.
  ///
  /// Returns whether it has a new value.
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
