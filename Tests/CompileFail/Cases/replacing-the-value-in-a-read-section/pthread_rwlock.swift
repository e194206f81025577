import Foundation

final class Names: @unchecked Sendable {
  let lock = makePthreadLock()
  var count = 3
}

func run() {
  let names = Names()
  pthread_rwlock_rdlock(names.lock)
  let before = names.count
  onAnotherThread {
    pthread_rwlock_rdlock(names.lock)
    names.count = 0
    pthread_rwlock_unlock(names.lock)
  }
  let after = names.count
  pthread_rwlock_unlock(names.lock)
  conclude(after, shouldBe: before)
}
