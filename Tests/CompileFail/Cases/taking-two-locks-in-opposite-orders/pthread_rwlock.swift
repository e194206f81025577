import CaseSupport
import Foundation

final class Bank: @unchecked Sendable {
  let ann = makePthreadLock()
  let bob = makePthreadLock()
}

@main enum Program {
  static func main() {
    let bank = Bank()
    let hasAnn = Gate()
    let hasBob = Gate()
    let end = startThread {
      pthread_rwlock_wrlock(bank.bob)
      hasBob.open()
      hasAnn.pass()
      pthread_rwlock_wrlock(bank.ann)
      pthread_rwlock_unlock(bank.ann)
      pthread_rwlock_unlock(bank.bob)
    }
    pthread_rwlock_wrlock(bank.ann)
    hasAnn.open()
    hasBob.pass()
    pthread_rwlock_wrlock(bank.bob)
    pthread_rwlock_unlock(bank.bob)
    pthread_rwlock_unlock(bank.ann)
    end.pass()
    conclude(true, shouldBe: true)
  }
}
