import Foundation

final class Account: @unchecked Sendable {
  let lock = makePthreadLock()
  var balance = 100
}

func run() {
  let account = Account()
  pthread_rwlock_wrlock(account.lock)
  pthread_rwlock_init(account.lock, nil)
  let balance = account.balance
  onAnotherThread {
    pthread_rwlock_wrlock(account.lock)
    account.balance += 50
    pthread_rwlock_unlock(account.lock)
  }
  account.balance = balance + 30
  pthread_rwlock_unlock(account.lock)
  conclude(account.balance, shouldBe: 180)
}
