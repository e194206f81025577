import CaseSupport
import Dispatch

final class Account: @unchecked Sendable {
  var queue = DispatchQueue(label: "account")
  var balance = 100
}

@main enum Program {
  static func main() {
    let account = Account()
    account.queue.sync {
      let balance = account.balance
      onAnotherThread {
        account.queue = DispatchQueue(label: "account")
        account.queue.sync { account.balance += 50 }
      }
      account.balance = balance + 30
    }
    conclude(account.balance, shouldBe: 180)
  }
}
