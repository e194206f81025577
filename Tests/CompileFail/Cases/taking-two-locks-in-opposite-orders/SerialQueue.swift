import CaseSupport
import Dispatch

@main enum Program {
  static func main() {
    let ann = DispatchQueue(label: "ann")
    let bob = DispatchQueue(label: "bob")
    let hasAnn = Gate()
    let hasBob = Gate()
    let end = startThread {
      bob.sync {
        hasBob.open()
        hasAnn.pass()
        ann.sync {}
      }
    }
    ann.sync {
      hasAnn.open()
      hasBob.pass()
      bob.sync {}
    }
    end.pass()
    conclude(true, shouldBe: true)
  }
}
