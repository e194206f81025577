import CaseSupport
import Protectors
import ReadWriteLocks

@main enum Program {
  static func main() {
    let balance = LockProtector(100, lock: CompactReadWriteLock())
    balance.withWriteLock { amount in
      amount += amount
    }
    conclude(balance.snapshot, shouldBe: 200)
  }
}
