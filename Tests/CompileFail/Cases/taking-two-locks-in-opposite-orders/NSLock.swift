import CaseSupport
import Foundation

@main enum Program {
  static func main() {
    let ann = NSLock()
    let bob = NSLock()
    let hasAnn = Gate()
    let hasBob = Gate()
    let end = startThread {
      bob.withLock {
        hasBob.open()
        hasAnn.pass()
        ann.withLock {}
      }
    }
    ann.withLock {
      hasAnn.open()
      hasBob.pass()
      bob.withLock {}
    }
    end.pass()
    conclude(true, shouldBe: true)
  }
}
