import Foundation

final class Account: @unchecked Sendable {
  private var lock: pthread_rwlock_t
  var balance = 100

  init(lock: pthread_rwlock_t) { self.lock = lock }

  func deposit(_ amount: Int) {
    pthread_rwlock_wrlock(&lock)
    balance += amount
    pthread_rwlock_unlock(&lock)
  }
}

func run() {
  var lock = pthread_rwlock_t()
  pthread_rwlock_init(&lock, nil)
  let account = Account(lock: lock)
  pthread_rwlock_wrlock(&lock)
  let balance = account.balance
  onAnotherThread { account.deposit(50) }
  account.balance = balance + 30
  pthread_rwlock_unlock(&lock)
  conclude(account.balance, shouldBe: 180)
}
