// Changing two related atomic properties.
//
// Each is changed in one step, both are not: a thread in between sees the one changed and the other not.
//
// Silently wrong: That two properties belong together is known to their author alone. Make one value of them, behind one
// `Protector` or `AtomicProperty`.

import AtomicProperties

func run() {
  #if WRONG
    let ann = AtomicProperty(100)
    let bob = AtomicProperty(100)
    let total = AtomicProperty(0)
    ann.value -= 30
    onAnotherThread { total.value = ann.value + bob.value }
    bob.value += 30
  #else
    let accounts = AtomicProperty((ann: 100, bob: 100))
    let total = AtomicProperty(0)
    accounts.update { accounts in
      accounts.ann -= 30
      accounts.bob += 30
    }
    onAnotherThread { total.value = accounts.update { $0.ann + $0.bob } }
  #endif
  conclude(total.value, shouldBe: 200)
}
