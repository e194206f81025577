// Reading inside a write section.
//
// The reader waits for the writer, which is the same thread.
//
// Traps: Protector: locked for reading by the thread that holds it for writing; use what the write section gives
// access to
//
// Not with Mutex, NSLock, SerialQueue: they know no readers; see “Acquiring a lock twice”.

import CaseSupport
import Protectors

@main enum Program {
  static func main() {
    let balance = Protector(100)
    balance.withWriteLock {
      $0 += balance.snapshot
    }
    conclude(balance.snapshot, shouldBe: 200)
  }
}
