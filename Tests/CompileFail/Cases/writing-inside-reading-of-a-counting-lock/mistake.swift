// Writing inside a read section of a counting lock.
//
// The writer waits for all readers, and is one of them.
//
// Hangs: `CompactReadWriteLock` and `SpinReadWriteLock` keep a count of readers, not their names; the four or eight bytes have
// no room for these, and the compiler does not know which functions take which lock. Where it matters, take `Protector`,
// whose lock knows what its threads hold and traps, or give the wait a timeout.

import Protectors
import ReadWriteLocks

func run() {
  let balance = LockProtector(100, lock: CompactReadWriteLock())
  #if WRONG
    balance.withReadLock { amount in
      balance.withWriteLock { $0 += amount }
    }
  #else
    balance.withWriteLock { amount in
      amount += amount
    }
  #endif
  conclude(balance.value, shouldBe: 200)
}
