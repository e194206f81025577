import AtomicProperties
import CaseSupport

@main enum Program {
  static func main() {
    let address = AtomicProperty(UInt128(1))
    conclude(address.value, shouldBe: 1)
  }
}
