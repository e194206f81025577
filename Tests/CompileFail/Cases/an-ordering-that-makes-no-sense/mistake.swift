// An ordering that the operation can't have.
//
// A load that releases nothing orders nothing: what was written before the flag is not seen by those who see the flag.

import AtomicProperties

func isReady(_ flag: LockFreeProperty<Bool>) -> Bool {
  #if WRONG
    flag.load(ordering: .releasing)
  // error: type 'AtomicLoadOrdering' has no member 'releasing'
  #else
    flag.load(ordering: .acquiring)
  #endif
}
