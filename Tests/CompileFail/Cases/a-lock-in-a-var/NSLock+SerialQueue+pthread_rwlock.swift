final class Account: @unchecked Sendable {
  var lock = PeerLock()
  var balance = 100
}

func run() {
  let account = Account()
  account.lock.withLock {
    let balance = account.balance
    onAnotherThread {
      account.lock = PeerLock()
      account.lock.withLock { account.balance += 50 }
    }
    account.balance = balance + 30
  }
  conclude(account.balance, shouldBe: 180)
}
