// Old names of properties.
//
// None: each message says what to write.

import AtomicProperties
import Dispatch

func bound(_ number: LockFreeProperty<Int>, by operand: Int) {
  #if WRONG
    number.min(operand, ordering: .relaxed)
    // error: 'min(_:ordering:)' is unavailable: write update(ordering: …) { $0 = min($0, operand) }
    number.max(operand, ordering: .relaxed)
    // error: 'max(_:ordering:)' is unavailable: write update(ordering: …) { $0 = max($0, operand) }
    number.bitwiseAnd(operand, ordering: .relaxed)
    // error: 'bitwiseAnd(_:ordering:)' is unavailable: write update(ordering: …) { $0 &= operand }
    number.bitwiseOr(operand, ordering: .relaxed)
    // error: 'bitwiseOr(_:ordering:)' is unavailable: write update(ordering: …) { $0 |= operand }
    number.bitwiseXor(operand, ordering: .relaxed)
  // error: 'bitwiseXor(_:ordering:)' is unavailable: write update(ordering: …) { $0 ^= operand }
  #else
    number.update(ordering: .relaxed) { $0 = min($0, operand) }
    number.update(ordering: .relaxed) { $0 = max($0, operand) }
    number.update(ordering: .relaxed) { $0 &= operand }
    number.update(ordering: .relaxed) { $0 |= operand }
    number.update(ordering: .relaxed) { $0 ^= operand }
  #endif
}

func check(_ property: QueueProperty<Int>, on queue: DispatchQueue) {
  #if WRONG
    property.preconditionNotOnQueue()
  // error: 'preconditionNotOnQueue()' is unavailable: write dispatchPrecondition(condition:
  // .notOnQueue(queue))
  #else
    dispatchPrecondition(condition: .notOnQueue(queue))
  #endif
}
