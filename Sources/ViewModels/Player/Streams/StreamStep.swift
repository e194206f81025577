/// What a stage of a stream makes of an input.
enum StreamStep<Value> {
  /// Nothing, this time.
  case nothing
  /// A value.
  case value(Value)
  /// A value, and none after it.
  case lastValue(Value)
  /// No value, now or later.
  case end
}
