import CaseSupport
import Foundation

final class Account: @unchecked Sendable {
  let lock = makePthreadLock()
  var balance = 100
}

@main enum Program {
  static func main() {
    let account = Account()
    pthread_rwlock_wrlock(account.lock)
    let pointer = withUnsafeMutablePointer(to: &account.balance) { UInt(bitPattern: $0) }
    let before = account.balance
    onAnotherThread { UnsafeMutablePointer<Int>(bitPattern: pointer)!.pointee += 50 }
    account.balance = before + 30
    pthread_rwlock_unlock(account.lock)
    conclude(account.balance, shouldBe: 180)
  }
}
