// Waiting in a section for a thread that needs the lock.
//
// The one waits for the other's end, the other for the one's section.
//
// Hangs: What a thread waits for, with a semaphore or a group, says nothing about who will signal it; neither the compiler
// nor the lock can know. Leave the section before waiting, or wait for a predicate with `withWriteLock(waitingUntil:)`,
// which releases the lock while it waits.

import Protectors

func run() {
  let balance = Protector(100)
  #if !WRONG
    onAnotherThread { balance.withWriteLock { $0 += 50 } }
  #endif
  balance.withWriteLock {
    #if WRONG
      onAnotherThread { balance.withWriteLock { $0 += 50 } }
    #endif
    $0 += 30
  }
  conclude(balance.value, shouldBe: 180)
}
