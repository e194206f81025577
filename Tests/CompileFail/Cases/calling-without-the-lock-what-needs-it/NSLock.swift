import CaseSupport
import Foundation

final class Account: @unchecked Sendable {
  let lock = NSLock()
  var balance = 100

  /// Only with the lock.
  func deposit(_ amount: Int) {
    balance += amount
  }
}

@main enum Program {
  static func main() {
    let account = Account()
    account.lock.withLock {
      let balance = account.balance
      onAnotherThread { account.deposit(50) }
      account.balance = balance + 30
    }
    conclude(account.balance, shouldBe: 180)
  }
}
