// Passing a property `inout` to an asynchronous function.
//
// The access lasts until the function returns. While the task is suspended, nobody else gets at the property; then the task goes
// on with another thread, which can't release what it does not hold.
//
// Traps: AtomicProperty: unlocked by a thread that does not hold it: an access was suspended at an await and resumed on
// another thread; await before or after the access

import AtomicProperties

#if WRONG
  // On the main thread; its caller goes on with another thread than before.
  @MainActor func load(into pages: inout [String]) async {
    pages.append("page")
  }
#else
  @MainActor func load() async -> String {
    "page"
  }
#endif

func run() async {
  let pages = AtomicProperty<[String]>([])
  #if WRONG
    await Task.detached(executorPreference: ThreadPerPart()) { await load(into: &pages.value) }.value
  #else
    await Task.detached(executorPreference: ThreadPerPart()) {
      let page = await load()
      pages.value.append(page)
    }.value
  #endif
  conclude(pages.value, shouldBe: ["page"])
}
