// A lock-free property of over eight bytes.
//
// A thread sees half of the old value and half of the new one; or there is a hidden lock after all.
//
// Traps: LockFreeProperty: made for UInt128, which takes more than 8 bytes; use AtomicProperty
//
// Not with Mutex, NSLock, pthread_rwlock, SerialQueue: they are not lock-free.

import AtomicProperties
import CaseSupport

@main enum Program {
  static func main() {
    let address = LockFreeProperty(UInt128(1))
    conclude(address.value, shouldBe: 1)
  }
}
