/// The result of passing one input through a stage of a stream, such as `map` or `take`.
enum StreamStep<Value> {
  /// No value for this input.
  case nothing
  /// A value.
  case value(Value)
  /// The last value.
  case lastValue(Value)
  /// No value, now or later.
  case end
}
