// Writing inside a read section of a counting lock.
//
// The writer waits for all readers, and is one of them.
//
// Hangs: `CompactReadWriteLock` and `SpinReadWriteLock` keep a count of readers, not their names; the four or eight bytes have
// no room for these, and the compiler does not know which functions take which lock. Where it matters, take `Protector`,
// whose lock knows what its threads hold and traps, or give the wait a timeout.
//
// Not with Mutex, NSLock, SerialQueue: they know no readers; see “Acquiring a lock twice”.

import CaseSupport
import Protectors
import ReadWriteLocks

@main enum Program {
  static func main() {
    let balance = LockProtector(100, lock: CompactReadWriteLock())
    balance.withReadLock { amount in
      balance.withWriteLock { $0 += amount }
    }
    conclude(balance.snapshot, shouldBe: 200)
  }
}
