public import PlatformLocks
public import Synchronization

// Each operation is one step, and returns the value before and after it.

extension LockFreeProperty where Value: FixedWidthInteger {
  /// Adds `operand`; what does not fit wraps around.
  ///
  /// - Parameters:
  ///   - operand: What to add.
  ///   - ordering: How it is ordered with what came before and comes after.
  /// - Returns: The value before and after.
  @inlinable
  @inline(__always)
  @discardableResult
  public func wrappingAdd(
    _ operand: Value, ordering: AtomicUpdateOrdering
  ) -> (oldValue: Value, newValue: Value) {
    // The word is the number, so the processor can add; in narrower types it would carry into the bytes above.
    if Self.isWholeWord {
      let old = Value(
        truncatingIfNeeded: storage.add(UInt64(truncatingIfNeeded: operand), MemoryOrdering(ordering)))
      return (old, old &+ operand)
    }
    return update(ordering) { $0 &+ operand }
  }

  /// Subtracts `operand`; what does not fit wraps around.
  ///
  /// - Parameters:
  ///   - operand: What to subtract.
  ///   - ordering: How it is ordered with what came before and comes after.
  /// - Returns: The value before and after.
  @inlinable
  @inline(__always)
  @discardableResult
  public func wrappingSubtract(
    _ operand: Value, ordering: AtomicUpdateOrdering
  ) -> (oldValue: Value, newValue: Value) {
    wrappingAdd(0 &- operand, ordering: ordering)
  }

  /// Replaces the value by the lesser of it and `operand`.
  ///
  /// - Parameters:
  ///   - operand: What to compare with.
  ///   - ordering: How it is ordered with what came before and comes after.
  /// - Returns: The value before and after.
  @inlinable
  @discardableResult
  public func min(
    _ operand: Value, ordering: AtomicUpdateOrdering
  ) -> (oldValue: Value, newValue: Value) {
    update(ordering) { Swift.min($0, operand) }
  }

  /// Replaces the value by the greater of it and `operand`.
  ///
  /// - Parameters:
  ///   - operand: What to compare with.
  ///   - ordering: How it is ordered with what came before and comes after.
  /// - Returns: The value before and after.
  @inlinable
  @discardableResult
  public func max(
    _ operand: Value, ordering: AtomicUpdateOrdering
  ) -> (oldValue: Value, newValue: Value) {
    update(ordering) { Swift.max($0, operand) }
  }

  /// Keeps the bits that are set in `operand` as well.
  ///
  /// - Parameters:
  ///   - operand: The bits to keep.
  ///   - ordering: How it is ordered with what came before and comes after.
  /// - Returns: The value before and after.
  @inlinable
  @discardableResult
  public func bitwiseAnd(
    _ operand: Value, ordering: AtomicUpdateOrdering
  ) -> (oldValue: Value, newValue: Value) {
    update(ordering) { $0 & operand }
  }

  /// Sets the bits of `operand`.
  ///
  /// - Parameters:
  ///   - operand: The bits to set.
  ///   - ordering: How it is ordered with what came before and comes after.
  /// - Returns: The value before and after.
  @inlinable
  @discardableResult
  public func bitwiseOr(
    _ operand: Value, ordering: AtomicUpdateOrdering
  ) -> (oldValue: Value, newValue: Value) {
    update(ordering) { $0 | operand }
  }

  /// Flips the bits of `operand`.
  ///
  /// - Parameters:
  ///   - operand: The bits to flip.
  ///   - ordering: How it is ordered with what came before and comes after.
  /// - Returns: The value before and after.
  @inlinable
  @discardableResult
  public func bitwiseXor(
    _ operand: Value, ordering: AtomicUpdateOrdering
  ) -> (oldValue: Value, newValue: Value) {
    update(ordering) { $0 ^ operand }
  }

  // MARK: How

  /// Whether the bits of the number are those of the word: the standard integers of 64 bits.
  @inlinable
  static var isWholeWord: Bool {
    let type: Any.Type = Value.self
    return type == Int.self && Int.bitWidth == 64 || type == UInt.self && UInt.bitWidth == 64
      || type == Int64.self || type == UInt64.self
  }

  /// Changes the value by trying until no other thread came between.
  @inlinable
  @inline(__always)
  func update(
    _ ordering: AtomicUpdateOrdering, _ change: (Value) -> Value
  ) -> (oldValue: Value, newValue: Value) {
    // The load orders nothing: the exchange that succeeds does.
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
