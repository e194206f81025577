/// A value on its way into a section or out of one.
///
/// A closure that may run any number of times, as far as the compiler knows, can't consume what it captures.
@usableFromInline
struct CarriedValue<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  // Sound, and `Sendable`: one thread has it. What it puts in is `sending`, so nobody else has that; what it takes
  // out of a section is the section's alone.
  private nonisolated(unsafe) var value: Value?

  @usableFromInline
  init() {
    unsafe value = nil
  }

  /// Puts a value in; there must be none.
  @usableFromInline
  mutating func put(_ new: consuming sending Value) {
    unsafe value = consume new
  }

  /// Puts this value into the section's place, and the section's here.
  @usableFromInline
  mutating func changePlaces(with protected: inout Value) {
    var other = unsafe value.take()!
    swap(&other, &protected)
    unsafe value = consume other
  }

  /// Takes the value out; there must be one.
  @usableFromInline
  mutating func take() -> sending Value {
    // Sound: what is taken out is here no more, and nobody else has it (see above).
    nonisolated(unsafe) let taken = unsafe value.take()!
    return unsafe taken
  }
}
