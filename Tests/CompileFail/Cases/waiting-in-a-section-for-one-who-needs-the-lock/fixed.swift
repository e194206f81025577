import CaseSupport
import Protectors

@main enum Program {
  static func main() {
    let balance = Protector(100)
    onAnotherThread { balance.withWriteLock { $0 += 50 } }
    balance.withWriteLock {
      $0 += 30
    }
    conclude(balance.snapshot, shouldBe: 180)
  }
}
