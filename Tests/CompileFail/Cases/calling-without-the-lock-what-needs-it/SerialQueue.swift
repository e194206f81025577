import Dispatch

final class Account: @unchecked Sendable {
  let queue = DispatchQueue(label: "account")
  var balance = 100

  /// Only on the queue.
  func deposit(_ amount: Int) {
    dispatchPrecondition(condition: .onQueue(queue))
    balance += amount
  }
}

func run() {
  let account = Account()
  account.deposit(50)
  conclude(account.balance, shouldBe: 150)
}
