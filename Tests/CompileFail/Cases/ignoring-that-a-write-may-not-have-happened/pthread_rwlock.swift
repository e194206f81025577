import Foundation

final class Account: @unchecked Sendable {
  let lock = makePthreadLock()
  var balance = 100

  func deposit(_ amount: Int) {
    if pthread_rwlock_trywrlock(lock) == 0 {
      balance += amount
      pthread_rwlock_unlock(lock)
    }
  }
}

func run() {
  let account = Account()
  pthread_rwlock_wrlock(account.lock)
  account.balance += 30
  onAnotherThread { account.deposit(50) }
  pthread_rwlock_unlock(account.lock)
  conclude(account.balance, shouldBe: 180)
}
