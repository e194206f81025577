import CaseSupport
import Protectors

struct Account: Sendable {
  let balance = Protector(100)
  let refused = Protector(0)

  func deposit(_ amount: Int) {
    if !balance.withWriteLock(timeout: .milliseconds(10), { $0 += amount }) {
      refused.withWriteLock { $0 += amount }
    }
  }
}

@main enum Program {
  static func main() {
    let account = Account()
    account.balance.withWriteLock { balance in
      onAnotherThread { account.deposit(50) }
      balance += 30
    }
    conclude(account.balance.snapshot + account.refused.snapshot, shouldBe: 180)
  }
}
