import CaseSupport
import Foundation

final class Statistics: @unchecked Sendable {
  private let lock = makePthreadLock()
  private var storage = 0

  var hits: Int {
    get {
      pthread_rwlock_rdlock(lock)
      defer { pthread_rwlock_unlock(lock) }
      return storage
    }
    set {
      pthread_rwlock_wrlock(lock)
      storage = newValue
      pthread_rwlock_unlock(lock)
    }
  }
}

func one(meanwhile body: () -> Void) -> Int {
  body()
  return 1
}

@main enum Program {
  static func main() {
    let statistics = Statistics()
    statistics.hits = statistics.hits + one { onAnotherThread { statistics.hits += 1 } }
    conclude(statistics.hits, shouldBe: 2)
  }
}
