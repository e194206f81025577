// Replacing a held lock.
//
// The one who comes next finds a free lock, and two threads are in the section.
//
// Not with NSLock, SerialQueue: they are references; replacing one is the mistake of a lock in a `var`.

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
