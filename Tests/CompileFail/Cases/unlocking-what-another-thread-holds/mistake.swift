// Unlocking another thread's lock.
//
// A third thread enters beside the one that believes to be alone.
//
// Not with SerialQueue: a piece of work ends with its closure.

import UnfairLocks

func reset(_ lock: borrowing UnfairLock) {
  #if WRONG
    lock.unlock()
  // error: value of type 'UnfairLock' has no member 'unlock'
  #else
    lock.withLock {}
  #endif
}
