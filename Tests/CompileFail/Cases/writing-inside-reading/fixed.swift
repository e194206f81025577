import CaseSupport
import Protectors

@main enum Program {
  static func main() {
    let balance = Protector(100)
    balance.withWriteLock { amount in
      amount += amount
    }
    conclude(balance.snapshot, shouldBe: 200)
  }
}
