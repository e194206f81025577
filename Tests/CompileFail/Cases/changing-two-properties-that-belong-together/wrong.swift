// Changing two related atomic properties.
//
// Each is changed in one step, both are not: a thread in between sees the one changed and the other not.
//
// Silently wrong: That two properties belong together is known to their author alone. Make one value of them, behind one
// `Protector` or `AtomicProperty`.

import AtomicProperties
import CaseSupport

@main enum Program {
  static func main() {
    let ann = AtomicProperty(100)
    let bob = AtomicProperty(100)
    let total = AtomicProperty(0)
    ann.value -= 30
    onAnotherThread { total.value = ann.value + bob.value }
    bob.value += 30
    conclude(total.value, shouldBe: 200)
  }
}
