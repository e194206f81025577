// The value escaping through a closure.
//
// The closure runs when the section has ended, and changes the value without the lock.

import Protectors

func later(_ count: Protector<Int>) -> () -> Void {
  #if WRONG
    count.withWriteLock { count in
      return { count += 1 }
      // error: escaping closure captures 'inout' parameter 'count'
    }
  #else
    return { count.withWriteLock { $0 += 1 } }
  #endif
}
