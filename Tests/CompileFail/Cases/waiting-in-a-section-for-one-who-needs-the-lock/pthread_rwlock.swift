import CaseSupport
import Foundation

final class Account: @unchecked Sendable {
  let lock = makePthreadLock()
}

@main enum Program {
  static func main() {
    let account = Account()
    pthread_rwlock_wrlock(account.lock)
    onAnotherThread {
      pthread_rwlock_wrlock(account.lock)
      pthread_rwlock_unlock(account.lock)
    }
    pthread_rwlock_unlock(account.lock)
    conclude(true, shouldBe: true)
  }
}
