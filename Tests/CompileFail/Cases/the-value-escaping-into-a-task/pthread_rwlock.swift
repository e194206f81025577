import CaseSupport
import Foundation

final class Counter: @unchecked Sendable {
  let lock = makePthreadLock()
  var count = 0
}

@main enum Program {
  static func main() {
    let counter = Counter()
    let incremented = Gate()
    pthread_rwlock_wrlock(counter.lock)
    let count = counter.count
    _ = Task.detached {
      counter.count += 1
      incremented.open()
    }
    incremented.pass()
    counter.count = count + 1
    pthread_rwlock_unlock(counter.lock)
    conclude(counter.count, shouldBe: 2)
  }
}
