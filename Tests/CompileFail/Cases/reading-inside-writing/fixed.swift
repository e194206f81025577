import CaseSupport
import Protectors

@main enum Program {
  static func main() {
    let balance = Protector(100)
    balance.withWriteLock {
      $0 += $0
    }
    conclude(balance.snapshot, shouldBe: 200)
  }
}
