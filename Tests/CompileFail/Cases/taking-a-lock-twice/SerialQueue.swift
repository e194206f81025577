import CaseSupport
import Dispatch

@main enum Program {
  static func main() {
    let queue = DispatchQueue(label: "account")
    var balance = 100
    queue.sync {
      balance += 30
      queue.sync { balance += 50 }
    }
    conclude(balance, shouldBe: 180)
  }
}
