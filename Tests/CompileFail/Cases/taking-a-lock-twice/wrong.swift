// Acquiring a lock twice on one thread.
//
// The thread waits for itself, and everybody else for it.
//
// Traps: UnfairLock: locked by the thread that already holds it; take it once, and call what needs it from outside the
// section

import CaseSupport
import UnfairLocks

@main enum Program {
  static func main() {
    let lock = UnfairLock()
    var balance = 100
    lock.withLock {
      balance += 30
      lock.withLock { balance += 50 }
    }
    conclude(balance, shouldBe: 180)
  }
}
