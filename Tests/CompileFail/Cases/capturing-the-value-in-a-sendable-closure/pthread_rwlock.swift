import CaseSupport
import Foundation

final class Names: @unchecked Sendable {
  let lock = makePthreadLock()
  var count = 1
}

@main enum Program {
  static func main() {
    let names = Names()
    let isChanged = Gate()
    pthread_rwlock_wrlock(names.lock)
    let end = startThread {
      isChanged.pass()
      conclude(names.count, shouldBe: 1)
    }
    pthread_rwlock_unlock(names.lock)
    pthread_rwlock_wrlock(names.lock)
    names.count = 2
    pthread_rwlock_unlock(names.lock)
    isChanged.open()
    end.pass()
  }
}
