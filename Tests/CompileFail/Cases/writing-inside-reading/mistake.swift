// Writing inside a read section.
//
// The writer waits for all readers, and is one of them.
//
// Traps: Protector: locked for writing by a thread that is in a read section of it; leave the read section first,
// or take the write lock from the start

import Protectors

func run() {
  let balance = Protector(100)
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
