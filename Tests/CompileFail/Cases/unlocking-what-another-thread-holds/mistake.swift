// Unlocking another thread's lock.
//
// A third thread enters beside the one that believes to be alone.

import UnfairLocks

func reset(_ lock: borrowing UnfairLock) {
  #if WRONG
    lock.unlock()
  // error: 'unlock()' is unavailable: pass the section as a closure: withLock { … }
  #else
    lock.withLock {}
  #endif
}
