import CaseSupport
import LazyInitialization

enum Table {
  static let size: Lazy<Int> = Lazy { 1 * 2 }
}

@main enum Program {
  static func main() {
    conclude(Table.size.value, shouldBe: 2)
  }
}
