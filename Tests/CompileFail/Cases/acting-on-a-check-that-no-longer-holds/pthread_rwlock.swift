import CaseSupport
import Foundation

final class Theatre: @unchecked Sendable {
  let lock = makePthreadLock()
  var seats = 1
}

@main enum Program {
  static func main() {
    let theatre = Theatre()
    pthread_rwlock_rdlock(theatre.lock)
    let isFree = theatre.seats > 0
    pthread_rwlock_unlock(theatre.lock)
    onAnotherThread {
      pthread_rwlock_wrlock(theatre.lock)
      if theatre.seats > 0 { theatre.seats -= 1 }
      pthread_rwlock_unlock(theatre.lock)
    }
    pthread_rwlock_wrlock(theatre.lock)
    if isFree { theatre.seats -= 1 }
    pthread_rwlock_unlock(theatre.lock)
    conclude(theatre.seats, shouldBe: 0)
  }
}
