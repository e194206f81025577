final class Account: @unchecked Sendable {
  private let lock = PeerLock()
  private var balance = 100

  func withdraw(_ amount: Int) -> Bool {
    lock.lock()
    guard amount <= balance else { return false }
    balance -= amount
    lock.unlock()
    return true
  }
}

func run() {
  let account = Account()
  onAnotherThread { _ = account.withdraw(200) }
  conclude(account.withdraw(50), shouldBe: true)
}
