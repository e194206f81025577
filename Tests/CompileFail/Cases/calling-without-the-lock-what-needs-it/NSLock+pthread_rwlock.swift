final class Account: @unchecked Sendable {
  let lock = PeerLock()
  var balance = 100

  /// Only with the lock.
  func deposit(_ amount: Int) {
    balance += amount
  }
}

func run() {
  let account = Account()
  account.lock.withLock {
    let balance = account.balance
    onAnotherThread { account.deposit(50) }
    account.balance = balance + 30
  }
  conclude(account.balance, shouldBe: 180)
}
