import CaseSupport
import Dispatch

final class Account: @unchecked Sendable {
  let queue = DispatchQueue(label: "account")
  var balance = 100
}

@main enum Program {
  static func main() {
    let account = Account()
    account.queue.sync {
      let balance = account.balance
      onAnotherThread { account.balance = 0 }
      account.balance = balance + 30
    }
    conclude(account.balance, shouldBe: 0)
  }
}
