// Replacing the value in a read section.
//
// Another reader still looks at the old value, which ends while it is being read.

import Protectors

func reset(_ names: Protector<[String]>) {
  #if WRONG
    names.withReadLock { $0 = [] }
  // error: cannot assign to value: '$0' is immutable
  #else
    names.withWriteLock { $0 = [] }
  #endif
}
