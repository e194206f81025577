public import InterlockCore
public import Synchronization

// Operations on integers. Each one is a single atomic step, and returns the old and the new value.

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension LockFreeProperty where Value: FixedWidthInteger {
  /// Adds `operand`, with wrap-around on overflow.
  ///
  /// - Parameters:
  ///   - operand: The number to add.
  ///   - ordering: The memory ordering of the update.
  /// - Returns: The value before and after the update.
  @_alwaysEmitIntoClient
  @inline(__always)
  @discardableResult
  public func wrappingAdd(
    _ operand: Value, ordering: AtomicUpdateOrdering
  ) -> (oldValue: Value, newValue: Value) {
    // A number as wide as the word can use the processor's atomic addition. The addition of a narrower number
    // could carry into the other bytes of the word.
    if Self.isWholeWord {
      let old = Value(
        truncatingIfNeeded: storage.add(UInt64(truncatingIfNeeded: operand), MemoryOrdering(ordering)))
      return (old, old &+ operand)
    }
    return update(ordering) { $0 &+ operand }
  }

  /// Subtracts `operand`, with wrap-around on overflow.
  ///
  /// - Parameters:
  ///   - operand: The number to subtract.
  ///   - ordering: The memory ordering of the update.
  /// - Returns: The value before and after the update.
  @_alwaysEmitIntoClient
  @inline(__always)
  @discardableResult
  public func wrappingSubtract(
    _ operand: Value, ordering: AtomicUpdateOrdering
  ) -> (oldValue: Value, newValue: Value) {
    wrappingAdd(0 &- operand, ordering: ordering)
  }

  // MARK: How

  /// Whether `Value` is a standard integer of 64 bits, and so fills the storage word.
  @_alwaysEmitIntoClient
  static var isWholeWord: Bool {
    let type: Any.Type = Value.self
    return type == Int.self && Int.bitWidth == 64 || type == UInt.self && UInt.bitWidth == 64
      || type == Int64.self || type == UInt64.self
  }

  /// Replaces the value by the result of `change`, in one atomic step.
  ///
  /// `change` runs again if another thread has changed the value meanwhile, so it must have no other effect.
  @_alwaysEmitIntoClient
  @inline(__always)
  func update(
    _ ordering: AtomicUpdateOrdering, _ change: (Value) -> Value
  ) -> (oldValue: Value, newValue: Value) {
    // A relaxed load suffices, because the compare-exchange that succeeds has the ordering.
    var current = storage.load(.relaxed)
    while true {
      let old = Self.value(current)
      let new = change(old)
      let attempt = storage.compareExchange(
        expected: current, desired: Self.bits(new), MemoryOrdering(ordering))
      if attempt.exchanged { return (old, new) }
      current = attempt.original
    }
  }
}
