import CaseSupport
import LazyInitialization

@main enum Program {
  static func main() async {
    let cell = OnceCell<Int>()
    let value = await cell.value(orInitialize: {
      await Task.yield()
      return 2
    })
    conclude(value, shouldBe: 2)
  }
}
