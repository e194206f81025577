// A lock-free property of a type without atomic representation.
//
// A thread sees half of the old value and half of the new one.

import AtomicProperties

#if WRONG
  let title = LockFreeProperty("Untitled")
// error: generic class 'LockFreeProperty' requires that 'String' conform to 'AtomicRepresentable'
#else
  let title = AtomicProperty("Untitled")
#endif
