import CaseSupport
import Foundation

@main enum Program {
  static func main() {
    let lock = NSLock()
    var balance = 100
    lock.withLock {
      balance += 30
      lock.withLock { balance += 50 }
    }
    conclude(balance, shouldBe: 180)
  }
}
