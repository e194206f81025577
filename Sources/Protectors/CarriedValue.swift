/// A value that is moved into a critical section or out of one.
///
/// It is needed because a closure can't consume what it captures: for all the compiler knows, the closure may
/// run more than once.
@usableFromInline
@frozen
struct CarriedValue<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  // `CarriedValue` is `@unchecked Sendable`, which is sound: one thread uses it. A value is put in as
  // `sending`, so no other thread refers to it. A value that was taken out of a protector is no longer there.
  private nonisolated(unsafe) var value: Value?

  @usableFromInline
  init() {
    unsafe value = nil
  }

  /// Stores a value.
  ///
  /// The storage must be empty.
  @usableFromInline
  mutating func put(_ new: consuming sending Value) {
    unsafe value = consume new
  }

  /// Exchanges this value with the protected one.
  @usableFromInline
  mutating func changePlaces(with protected: inout Value) {
    var other = unsafe value.take()!
    swap(&other, &protected)
    unsafe value = consume other
  }

  /// Removes and returns the value.
  ///
  /// Traps if there is none.
  @usableFromInline
  mutating func take() -> sending Value {
    // Sound: the value is no longer stored here, and no other thread refers to it.
    nonisolated(unsafe) let taken = unsafe value.take()!
    return unsafe taken
  }
}
