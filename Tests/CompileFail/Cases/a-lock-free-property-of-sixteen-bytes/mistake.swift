// A lock-free property of over eight bytes.
//
// A thread sees half of the old value and half of the new one; or there is a hidden lock after all.
//
// Traps: LockFreeProperty: made for UInt128, which takes more than 8 bytes; use AtomicProperty

import AtomicProperties

func run() {
  #if WRONG
    let address = LockFreeProperty(UInt128(1))
  #else
    let address = AtomicProperty(UInt128(1))
  #endif
  conclude(address.value, shouldBe: 1)
}
