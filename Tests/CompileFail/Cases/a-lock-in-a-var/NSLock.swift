import CaseSupport
import Foundation

final class Account: @unchecked Sendable {
  var lock = NSLock()
  var balance = 100
}

@main enum Program {
  static func main() {
    let account = Account()
    let held = account.lock
    held.lock()
    let balance = account.balance
    onAnotherThread {
      account.lock = NSLock()
      account.lock.withLock { account.balance += 50 }
    }
    account.balance = balance + 30
    held.unlock()
    conclude(account.balance, shouldBe: 180)
  }
}
