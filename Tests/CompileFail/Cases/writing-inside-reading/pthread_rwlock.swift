import Foundation

func run() {
  let lock = makePthreadLock()
  var balance = 100
  pthread_rwlock_rdlock(lock)
  let amount = balance
  pthread_rwlock_wrlock(lock)
  balance += amount
  pthread_rwlock_unlock(lock)
  pthread_rwlock_unlock(lock)
  conclude(balance, shouldBe: 200)
}
