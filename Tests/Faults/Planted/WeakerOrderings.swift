// Operations with weaker memory orderings than those in `InterlockCore`. `check` copies this file into that
// module, so that faults can weaken an ordering.

internal import Builtin

extension LockWord {
  @inlinable
  package borrowing func exchangeRelaxed(_ desired: UInt32) -> UInt32 {
    #if Exploration
      if let value = explored(.exchange, .relaxed, operand: desired) { return value }
    #endif
    return UInt32(Builtin.atomicrmw_xchg_monotonic_Int32(rawAddress, desired._value))
  }

  @inlinable
  package borrowing func exchangeAcquiringAndReleasing(_ desired: UInt32) -> UInt32 {
    #if Exploration
      if let value = explored(.exchange, .acquiringAndReleasing, operand: desired) { return value }
    #endif
    return UInt32(Builtin.atomicrmw_xchg_acqrel_Int32(rawAddress, desired._value))
  }

  @inlinable
  package borrowing func compareExchangeAcquiringAndReleasing(expected: UInt32, desired: UInt32) -> (
    exchanged: Bool, original: UInt32
  ) {
    #if Exploration
      if let old = explored(.compareExchange, .acquiringAndReleasing, operand: desired, expected: expected) {
        return (old == expected, old)
      }
    #endif
    let (original, exchanged) = Builtin.cmpxchg_acqrel_acquire_Int32(
      rawAddress, expected._value, desired._value)
    return (Bool(exchanged), UInt32(original))
  }

  @inlinable
  package borrowing func addAcquiringAndReleasing(_ operand: UInt32) {
    #if Exploration
      if explored(.add, .acquiringAndReleasing, operand: operand) != nil { return }
    #endif
    _ = Builtin.atomicrmw_add_acqrel_Int32(rawAddress, operand._value)
  }

  @inlinable
  @discardableResult
  package borrowing func addRelaxed(_ operand: UInt32) -> UInt32 {
    #if Exploration
      if let old = explored(.add, .relaxed, operand: operand) { return old &+ operand }
    #endif
    return UInt32(Builtin.atomicrmw_add_monotonic_Int32(rawAddress, operand._value)) &+ operand
  }

  @inlinable
  package borrowing func subtractRelaxed(_ operand: UInt32) -> UInt32 {
    #if Exploration
      if let old = explored(.add, .relaxed, operand: 0 &- operand) { return old &- operand }
    #endif
    return UInt32(Builtin.atomicrmw_sub_monotonic_Int32(rawAddress, operand._value)) &- operand
  }
}
