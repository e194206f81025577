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
      withWriteLocks(bob, ann) { swap(&$0, &$1) }
    }
    withWriteLocks(ann, bob) { ann, bob in
      hasAnn.open()
      hasBob.pass()
      swap(&bob, &ann)
    }
    end.pass()
    conclude(ann.snapshot + bob.snapshot, shouldBe: 200)
  }
}
