// Using a lock that was given away.
//
// The receiver's lock is another one than the giver's: each takes its own.
//
// Not with NSLock, SerialQueue: they are references, and whoever has one has the same lock.

import UnfairLocks

struct Account: ~Copyable {
  let lock: UnfairLock
}

func share() -> Account {
  let lock = UnfairLock()
  // error: 'lock' used after consume
  let account = Account(lock: lock)
  #if WRONG
    lock.withLock {}
  #else
    account.lock.withLock {}
  #endif
  return account
}
