import CaseSupport
import Foundation

final class Counter: @unchecked Sendable {
  let lock = makePthreadLock()
  var count = 0

  func later() -> @Sendable () -> Void {
    pthread_rwlock_wrlock(lock)
    defer { pthread_rwlock_unlock(lock) }
    return { self.count += 1 }
  }
}

@main enum Program {
  static func main() {
    let counter = Counter()
    let increment = counter.later()
    pthread_rwlock_wrlock(counter.lock)
    let count = counter.count
    onAnotherThread(increment)
    counter.count = count + 1
    pthread_rwlock_unlock(counter.lock)
    conclude(counter.count, shouldBe: 2)
  }
}
