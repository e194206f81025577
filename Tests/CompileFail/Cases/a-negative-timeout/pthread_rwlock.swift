import CaseSupport
import Foundation

final class Account: @unchecked Sendable {
  let lock = makePthreadLock()
}

@main enum Program {
  static func main() {
    let account = Account()
    let isHeld = Gate()
    let end = startThread {
      pthread_rwlock_wrlock(account.lock)
      isHeld.open()
      Thread.sleep(forTimeInterval: 0.5)
      pthread_rwlock_unlock(account.lock)
    }
    isHeld.pass()
    // A limit of one second would have been enough.
    var past = timespec(tv_sec: time(nil) - 1, tv_nsec: 0)
    let result = pthread_rwlock_timedwrlock(account.lock, &past)
    end.pass()
    conclude(result, shouldBe: 0)
  }
}
