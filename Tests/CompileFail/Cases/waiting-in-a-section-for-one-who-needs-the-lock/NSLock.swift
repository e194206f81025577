import CaseSupport
import Foundation

@main enum Program {
  static func main() {
    let lock = NSLock()
    lock.withLock {
      onAnotherThread { lock.withLock {} }
    }
    conclude(true, shouldBe: true)
  }
}
