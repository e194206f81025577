import Foundation

final class Account: @unchecked Sendable {
  let lock = makePthreadLock()
  var balance = 100

  func deposit(_ amount: Int) {
    pthread_rwlock_wrlock(lock)
    balance += amount
    pthread_rwlock_unlock(lock)
  }
}

func run() {
  let account = Account()
  pthread_rwlock_wrlock(account.lock)
  account.deposit(50)
  // It has given way: the inner call has unlocked what the outer one holds.
  let balance = account.balance
  onAnotherThread { account.deposit(20) }
  account.balance = balance + 30
  pthread_rwlock_unlock(account.lock)
  conclude(account.balance, shouldBe: 200)
}
