// Waiting in a section for a thread that needs the lock.
//
// The one waits for the other's end, the other for the one's section.
//
// Hangs: What a thread waits for, with a semaphore or a group, says nothing about who will signal it; neither the compiler
// nor the lock can know. Leave the section before waiting, or wait for a predicate with `withWriteLock(waitingUntil:)`,
// which releases the lock while it waits.

import CaseSupport
import Protectors

@main enum Program {
  static func main() {
    let balance = Protector(100)
    balance.withWriteLock {
      onAnotherThread { balance.withWriteLock { $0 += 50 } }
      $0 += 30
    }
    conclude(balance.snapshot, shouldBe: 180)
  }
}
