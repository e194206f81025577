final class Account: @unchecked Sendable {
  let lock = PeerLock()
  var balance = 100
}

func run() {
  let account = Account()
  account.lock.withLock {
    let balance = account.balance
    onAnotherThread { account.balance = 0 }
    account.balance = balance + 30
  }
  conclude(account.balance, shouldBe: 0)
}
