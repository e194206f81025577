import CaseSupport
import Foundation

final class Account: @unchecked Sendable {
  private let lock = makePthreadLock()
  private var balance = 100

  func withdraw(_ amount: Int) -> Bool {
    pthread_rwlock_wrlock(lock)
    guard amount <= balance else { return false }
    balance -= amount
    pthread_rwlock_unlock(lock)
    return true
  }
}

@main enum Program {
  static func main() {
    let account = Account()
    onAnotherThread { _ = account.withdraw(200) }
    conclude(account.withdraw(50), shouldBe: true)
  }
}
