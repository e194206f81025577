// A change of a lock-free property that names no ordering.
//
// The reader would have to know the default, which is too weak for some uses and too slow for others.

import AtomicProperties

func end(_ isEnding: LockFreeProperty<Bool>) -> Bool {
  #if WRONG
    isEnding.exchange(true)
  // error: missing argument for parameter 'ordering' in call
  #else
    isEnding.exchange(true, ordering: .acquiringAndReleasing)
  #endif
}
