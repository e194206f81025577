import Foundation

final class Account: @unchecked Sendable {
  let lock = NSLock()
  var balance = 100

  func deposit(_ amount: Int) {
    if lock.lock(before: Date().addingTimeInterval(0.01)) {
      balance += amount
      lock.unlock()
    }
  }
}

func run() {
  let account = Account()
  account.lock.withLock {
    account.balance += 30
    onAnotherThread { account.deposit(50) }
  }
  conclude(account.balance, shouldBe: 180)
}
