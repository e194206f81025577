import Foundation

final class Account: @unchecked Sendable {
  let lock = makePthreadLock()
  var balance = 100

  func withCopiedLock(_ body: () -> Void) {
    var lock = self.lock.pointee
    pthread_rwlock_wrlock(&lock)
    body()
    pthread_rwlock_unlock(&lock)
  }
}

func run() {
  let account = Account()
  account.withCopiedLock {
    let balance = account.balance
    onAnotherThread {
      account.withCopiedLock { account.balance += 50 }
    }
    account.balance = balance + 30
  }
  conclude(account.balance, shouldBe: 180)
}
