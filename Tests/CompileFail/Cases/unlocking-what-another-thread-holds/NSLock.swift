import CaseSupport
import Foundation

final class Account: @unchecked Sendable {
  let lock = NSLock()
  var balance = 100
}

@main enum Program {
  static func main() {
    let account = Account()
    account.lock.lock()
    let balance = account.balance
    onAnotherThread { account.lock.unlock() }
    onAnotherThread { account.lock.withLock { account.balance += 50 } }
    account.balance = balance + 30
    conclude(account.balance, shouldBe: 180)
  }
}
