import CaseSupport
import Foundation

@main enum Program {
  static func main() {
    let lock = NSLock()
    let isHeld = Gate()
    let end = startThread {
      lock.withLock {
        isHeld.open()
        Thread.sleep(forTimeInterval: 0.5)
      }
    }
    isHeld.pass()
    // A limit of one second would have been enough.
    let hasLocked = lock.lock(before: Date().addingTimeInterval(-1))
    end.pass()
    conclude(hasLocked, shouldBe: true)
  }
}
