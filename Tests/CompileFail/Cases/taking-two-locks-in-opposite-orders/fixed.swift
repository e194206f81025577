import CaseSupport
import Protectors

@main enum Program {
  static func main() {
    let ann = Protector(100)
    let bob = Protector(100)
    let hasAnn = Gate()
    let hasBob = Gate()
    let end = startThread {
      hasAnn.pass()
      hasBob.open()
      ann.withWriteLock { ann in
        bob.withWriteLock { swap(&$0, &ann) }
      }
    }
    ann.withWriteLock { ann in
      hasAnn.open()
      hasBob.pass()
      bob.withWriteLock { swap(&$0, &ann) }
    }
    end.pass()
    conclude(ann.snapshot + bob.snapshot, shouldBe: 200)
  }
}
