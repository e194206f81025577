import CaseSupport
import Dispatch

final class Account: @unchecked Sendable {
  let queue = DispatchQueue(label: "account")
  var balance = 100
}

@main enum Program {
  static func main() {
    let account = Account()
    let pointer = account.queue.sync {
      withUnsafeMutablePointer(to: &account.balance) { UInt(bitPattern: $0) }
    }
    account.queue.sync {
      let before = account.balance
      onAnotherThread { UnsafeMutablePointer<Int>(bitPattern: pointer)!.pointee += 50 }
      account.balance = before + 30
    }
    conclude(account.balance, shouldBe: 180)
  }
}
