// Using a lock that was given away.
//
// The receiver's lock is another one than the giver's: each takes its own.

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
