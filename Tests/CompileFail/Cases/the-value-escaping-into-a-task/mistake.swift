// The value escaping into a task.
//
// The task runs when the section has ended, or beside it, and changes the value without the lock.

import Protectors

func later(_ count: Protector<Int>) {
  #if WRONG
    count.withWriteLock { count in
      _ = Task { count += 1 }
      // error: escaping closure captures 'inout' parameter 'count'
    }
  #else
    _ = Task { count.withWriteLock { $0 += 1 } }
  #endif
}
