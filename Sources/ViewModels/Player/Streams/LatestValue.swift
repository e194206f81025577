/// A stage with the latest value that came out of it: one side of a combination.
struct LatestValue<Input, Value> {
  private var stage: ((Input) -> StreamStep<Value>)?

  /// The latest value; `nil` before the first.
  private(set) var value: Value?

  init(of stage: @escaping (Input) -> StreamStep<Value>) {
    self.stage = stage
  }

  /// Whether no value will come any more.
  var isOver: Bool { stage == nil }

  /// Whether there was no value, and none will come.
  var isBarren: Bool { isOver && value == nil }

  /// Passes an input through the stage; returns whether a value came out.
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
