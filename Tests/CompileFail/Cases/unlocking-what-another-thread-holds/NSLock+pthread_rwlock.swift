final class Account: @unchecked Sendable {
  let lock = PeerLock()
  var balance = 100
}

func run() {
  let account = Account()
  account.lock.lock()
  let balance = account.balance
  onAnotherThread { account.lock.unlock() }
  onAnotherThread { account.lock.withLock { account.balance += 50 } }
  account.balance = balance + 30
  conclude(account.balance, shouldBe: 180)
}
