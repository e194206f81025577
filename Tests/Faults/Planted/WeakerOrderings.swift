// Operations with weaker memory orderings than those in `PlatformLocks`. `check` copies this file into that
// module, so that faults can weaken an ordering.

public import Synchronization

extension LockWord {
  @inlinable
  package borrowing func exchangeRelaxed(_ desired: UInt32) -> UInt32 {
    #if Exploration
      if let value = explored(.exchange, .relaxed, operand: desired) { return value }
    #endif
    return value.exchange(desired, ordering: .relaxed)
  }

  @inlinable
  package borrowing func exchangeAcquiringAndReleasing(_ desired: UInt32) -> UInt32 {
    #if Exploration
      if let value = explored(.exchange, .acquiringAndReleasing, operand: desired) { return value }
    #endif
    return value.exchange(desired, ordering: .acquiringAndReleasing)
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
    return value.compareExchange(expected: expected, desired: desired, ordering: .acquiringAndReleasing)
  }

  @inlinable
  package borrowing func addAcquiringAndReleasing(_ operand: UInt32) {
    #if Exploration
      if explored(.add, .acquiringAndReleasing, operand: operand) != nil { return }
    #endif
    value.wrappingAdd(operand, ordering: .acquiringAndReleasing)
  }

  @inlinable
  @discardableResult
  package borrowing func addRelaxed(_ operand: UInt32) -> UInt32 {
    #if Exploration
      if let old = explored(.add, .relaxed, operand: operand) { return old &+ operand }
    #endif
    return value.wrappingAdd(operand, ordering: .relaxed).newValue
  }

  @inlinable
  package borrowing func subtractRelaxed(_ operand: UInt32) -> UInt32 {
    #if Exploration
      if let old = explored(.add, .relaxed, operand: 0 &- operand) { return old &- operand }
    #endif
    return value.wrappingSubtract(operand, ordering: .relaxed).newValue
  }
}
