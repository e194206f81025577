// Acquiring two locks in opposite orders.
//
// Each of two threads waits for the lock that the other one holds.
//
// Hangs: Which locks a section takes is known when it takes them, and the order is a property of the whole program: no type
// says it. (`Synchronization.Mutex` finds it on Linux: its futex inherits priorities, for which the kernel follows who waits
// for whom, and that is what makes it slow where threads contend. A lock held by readers has no single owner to follow.)
// Put what belongs together behind one lock; where two are needed, acquire them with `withWriteLocks`. With
// the trait `DeadlockDetection`, a run reports such orders before it deadlocks.

import Protectors

func run() {
  let ann = Protector(100)
  let bob = Protector(100)
  let hasAnn = Gate()
  let hasBob = Gate()
  let end = startThread {
    hasAnn.pass()
    #if WRONG
      bob.withWriteLock { bob in
        hasBob.open()
        ann.withWriteLock { swap(&$0, &bob) }
      }
    #else
      hasBob.open()
      withWriteLocks(bob, ann) { swap(&$0, &$1) }
    #endif
  }
  #if WRONG
    ann.withWriteLock { ann in
      hasAnn.open()
      hasBob.pass()
      bob.withWriteLock { swap(&$0, &ann) }
    }
  #else
    withWriteLocks(ann, bob) { ann, bob in
      hasAnn.open()
      hasBob.pass()
      swap(&bob, &ann)
    }
  #endif
  end.pass()
  conclude(ann.value + bob.value, shouldBe: 200)
}
