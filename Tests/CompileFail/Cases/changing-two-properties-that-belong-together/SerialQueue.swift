import CaseSupport
import Dispatch

final class Bank: @unchecked Sendable {
  let queue = DispatchQueue(label: "bank")
  var ann = 100
  var bob = 100
  var total = 0
}

@main enum Program {
  static func main() {
    let bank = Bank()
    bank.queue.sync { bank.ann -= 30 }
    onAnotherThread { bank.queue.sync { bank.total = bank.ann + bank.bob } }
    bank.queue.sync { bank.bob += 30 }
    conclude(bank.total, shouldBe: 200)
  }
}
