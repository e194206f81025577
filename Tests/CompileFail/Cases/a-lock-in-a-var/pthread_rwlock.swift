import CaseSupport
import Foundation

final class Account: @unchecked Sendable {
  var lock = makePthreadLock()
  var balance = 100
}

@main enum Program {
  static func main() {
    let account = Account()
    let held = account.lock
    pthread_rwlock_wrlock(held)
    let balance = account.balance
    onAnotherThread {
      account.lock = makePthreadLock()
      pthread_rwlock_wrlock(account.lock)
      account.balance += 50
      pthread_rwlock_unlock(account.lock)
    }
    account.balance = balance + 30
    pthread_rwlock_unlock(held)
    conclude(account.balance, shouldBe: 180)
  }
}
