import CaseSupport
import Foundation

final class Account: @unchecked Sendable {
  let lock = makePthreadLock()
  var balance = 100
}

@main enum Program {
  static func main() {
    let account = Account()
    pthread_rwlock_wrlock(account.lock)
    let balance = account.balance
    onAnotherThread { account.balance = 0 }
    account.balance = balance + 30
    pthread_rwlock_unlock(account.lock)
    conclude(account.balance, shouldBe: 0)
  }
}
