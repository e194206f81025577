import Synchronization

final class Account: Sendable {
  let balance = Mutex(100)
}

func run() {
  let account = Account()
  account.balance.withLock {
    onAnotherThread { account.balance.withLock { $0 += 50 } }
    $0 += 30
  }
  conclude(account.balance.withLock { $0 }, shouldBe: 180)
}
