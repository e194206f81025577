import Foundation

final class Account: @unchecked Sendable {
  let lock = makePthreadLock()
}

func run() {
  let account = Account()
  let isHeld = Gate()
  let isTried = Gate()
  let end = startThread {
    pthread_rwlock_wrlock(account.lock)
    isHeld.open()
    isTried.pass()
    pthread_rwlock_unlock(account.lock)
  }
  isHeld.pass()
  // The other one is about to release it.
  var past = timespec(tv_sec: time(nil) - 1, tv_nsec: 0)
  let result = pthread_rwlock_timedwrlock(account.lock, &past)
  isTried.open()
  end.pass()
  conclude(result, shouldBe: 0)
}
