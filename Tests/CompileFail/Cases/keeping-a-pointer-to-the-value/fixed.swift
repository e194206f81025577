import CaseSupport
import Protectors

@main enum Program {
  static func main() {
    let balance = ExclusiveProtector(100)
    let end = startThread { balance.withWriteLock { $0 += 50 } }
    balance.withWriteLock { balance in
      let before = balance
      balance = before + 30
    }
    end.pass()
    conclude(balance.snapshot, shouldBe: 180)
  }
}
