import CaseSupport
import UnfairLocks

@main enum Program {
  static func main() {
    let lock = UnfairLock()
    var balance = 100
    lock.withLock {
      balance += 30
    }
    lock.withLock { balance += 50 }
    conclude(balance, shouldBe: 180)
  }
}
