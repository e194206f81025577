import CaseSupport
import UnfairLocks

final class Account: @unchecked Sendable {
  let lock = UnfairLock()
  private(set) var balance = 100

  /// Only with the lock.
  func deposit(_ amount: Int) {
    lock.precondition(.owner)
    balance += amount
  }
}

@main enum Program {
  static func main() {
    let account = Account()
    account.lock.withLock { account.deposit(30) }
    conclude(account.balance, shouldBe: 130)
  }
}
