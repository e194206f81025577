import Foundation

final class Cache: @unchecked Sendable {
  let lock = makePthreadLock()
  private(set) var hits = 0

  func find(meanwhile body: () -> Void = {}) {
    let before = hits
    body()
    hits = before + 1
  }
}

func run() {
  let cache = Cache()
  pthread_rwlock_rdlock(cache.lock)
  cache.find {
    onAnotherThread {
      pthread_rwlock_rdlock(cache.lock)
      cache.find()
      pthread_rwlock_unlock(cache.lock)
    }
  }
  pthread_rwlock_unlock(cache.lock)
  conclude(cache.hits, shouldBe: 2)
}
