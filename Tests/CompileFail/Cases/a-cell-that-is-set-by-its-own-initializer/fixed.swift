import CaseSupport
import LazyInitialization

@main enum Program {
  static func main() {
    let cell = OnceCell<Int>()
    let value = cell.value(orInitialize: { 2 })
    conclude(value, shouldBe: 2)
  }
}
