import Synchronization

struct Account: ~Copyable {
  let lock: Mutex<Void>
}

func share() -> Account {
  let lock = Mutex(())
  // error: 'lock' used after consume
  let account = Account(lock: lock)
  lock.withLock { _ in }
  return account
}
