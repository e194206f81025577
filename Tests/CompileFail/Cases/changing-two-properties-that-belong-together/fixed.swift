import AtomicProperties
import CaseSupport

@main enum Program {
  static func main() {
    let accounts = AtomicProperty((ann: 100, bob: 100))
    let total = AtomicProperty(0)
    accounts.modify { accounts in
      accounts.ann -= 30
      accounts.bob += 30
    }
    onAnotherThread { total.value = accounts.modify { $0.ann + $0.bob } }
    conclude(total.value, shouldBe: 200)
  }
}
