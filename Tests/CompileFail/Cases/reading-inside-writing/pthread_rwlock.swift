import Foundation

final class Account: @unchecked Sendable {
  let lock = makePthreadLock()
  private var storage = 100

  var balance: Int {
    pthread_rwlock_rdlock(lock)
    defer { pthread_rwlock_unlock(lock) }
    return storage
  }

  func deposit(_ amount: Int) {
    pthread_rwlock_wrlock(lock)
    storage += amount
    pthread_rwlock_unlock(lock)
  }

  func double(meanwhile body: () -> Void) {
    pthread_rwlock_wrlock(lock)
    let before = balance
    // Reading has failed to lock, and then unlocked: the writer is no longer alone.
    body()
    storage = before * 2
    pthread_rwlock_unlock(lock)
  }
}

func run() {
  let account = Account()
  account.double { onAnotherThread { account.deposit(50) } }
  conclude(account.balance, shouldBe: 250)
}
