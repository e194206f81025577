import UnfairLocks

struct Account: ~Copyable {
  let lock: UnfairLock
}

func share() -> Account {
  let lock = UnfairLock()
  let account = Account(lock: lock)
  account.lock.withLock {}
  return account
}
