import Synchronization

final class Account: Sendable {
  let balance = Mutex(100)
}

func run() {
  let account = Account()
  account.balance.withLock { balance in
    balance += 30
    onAnotherThread {
      account.balance.withLockIfAvailable { $0 += 50 }
      return
    }
  }
  conclude(account.balance.withLock { $0 }, shouldBe: 180)
}
