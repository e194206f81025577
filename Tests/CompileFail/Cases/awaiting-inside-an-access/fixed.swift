import AtomicProperties
import CaseSupport

@MainActor func load() async -> String {
  "page"
}

@main enum Program {
  static func main() async {
    let pages = AtomicProperty<[String]>([])
    await Task.detached(executorPreference: ThreadPerPart()) {
      let page = await load()
      pages.value.append(page)
    }.value
    conclude(pages.value, shouldBe: ["page"])
  }
}
