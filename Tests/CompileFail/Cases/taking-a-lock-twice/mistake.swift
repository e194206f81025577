// Acquiring a lock twice on one thread.
//
// The thread waits for itself, and everybody else for it.
//
// Traps: UnfairLock: locked by the thread that already holds it; take it once, and call what needs it from outside the
// section

import UnfairLocks

func run() {
  let lock = UnfairLock()
  var balance = 100
  lock.withLock {
    balance += 30
    #if WRONG
      lock.withLock { balance += 50 }
    #endif
  }
  #if !WRONG
    lock.withLock { balance += 50 }
  #endif
  conclude(balance, shouldBe: 180)
}
