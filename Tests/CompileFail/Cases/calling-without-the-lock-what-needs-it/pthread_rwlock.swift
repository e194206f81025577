import CaseSupport
import Foundation

final class Account: @unchecked Sendable {
  let lock = makePthreadLock()
  var balance = 100

  /// Only with the lock.
  func deposit(_ amount: Int) {
    balance += amount
  }
}

@main enum Program {
  static func main() {
    let account = Account()
    pthread_rwlock_wrlock(account.lock)
    let balance = account.balance
    onAnotherThread { account.deposit(50) }
    account.balance = balance + 30
    pthread_rwlock_unlock(account.lock)
    conclude(account.balance, shouldBe: 180)
  }
}
