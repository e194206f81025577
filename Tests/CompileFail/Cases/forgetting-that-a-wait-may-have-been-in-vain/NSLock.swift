import Foundation

final class Account: @unchecked Sendable {
  let lock = NSLock()
  var balance = 100
}

func run() {
  let account = Account()
  account.lock.withLock {
    let balance = account.balance
    onAnotherThread {
      account.lock.lock(before: Date().addingTimeInterval(0.01))
      account.balance += 50
      account.lock.unlock()
    }
    account.balance = balance + 30
  }
  conclude(account.balance, shouldBe: 180)
}
