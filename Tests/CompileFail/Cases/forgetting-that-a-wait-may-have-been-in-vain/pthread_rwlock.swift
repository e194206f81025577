import Foundation

final class Account: @unchecked Sendable {
  let lock = makePthreadLock()
  var balance = 100
}

func run() {
  let account = Account()
  pthread_rwlock_wrlock(account.lock)
  let balance = account.balance
  onAnotherThread {
    var soon = timespec(tv_sec: time(nil), tv_nsec: 1)
    pthread_rwlock_timedwrlock(account.lock, &soon)
    account.balance += 50
    pthread_rwlock_unlock(account.lock)
  }
  account.balance = balance + 30
  pthread_rwlock_unlock(account.lock)
  conclude(account.balance, shouldBe: 180)
}
