// Replacing a held lock.
//
// The one who comes next finds a free lock, and two threads are in the section.

import UnfairLocks

func work() {
  var lock = UnfairLock()
  #if WRONG
    lock.withLock {
      lock = UnfairLock()
      // error: overlapping accesses to 'lock', but modification requires exclusive access
    }
  #else
    lock.withLock {}
    lock = UnfairLock()
  #endif
}
