import CaseSupport
import Synchronization

final class Account: Sendable {
  let balance = Mutex(100)
}

@main enum Program {
  static func main() {
    let account = Account()
    account.balance.withLock {
      onAnotherThread { account.balance.withLock { $0 += 50 } }
      $0 += 30
    }
    conclude(account.balance.withLock { $0 }, shouldBe: 180)
  }
}
