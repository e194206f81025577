import CaseSupport
import Foundation

final class Bank: @unchecked Sendable {
  let lock = makePthreadLock()
  var ann = 100
  var bob = 100
  var total = 0

  func write(_ body: () -> Void) {
    pthread_rwlock_wrlock(lock)
    body()
    pthread_rwlock_unlock(lock)
  }
}

@main enum Program {
  static func main() {
    let bank = Bank()
    bank.write { bank.ann -= 30 }
    onAnotherThread { bank.write { bank.total = bank.ann + bank.bob } }
    bank.write { bank.bob += 30 }
    conclude(bank.total, shouldBe: 200)
  }
}
