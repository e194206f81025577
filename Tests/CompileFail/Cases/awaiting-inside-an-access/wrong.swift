// Passing a property `inout` to an asynchronous function.
//
// The access lasts until the function returns. While the task is suspended, nobody else gets at the property; then the task goes
// on with another thread, which can't release what it does not hold.
//
// Traps: AtomicProperty: unlocked by a thread that does not hold it: an access was suspended at an await and resumed on
// another thread; await before or after the access
//
// Not with Mutex, NSLock, pthread_rwlock, SerialQueue: they have no property that is changed in place.

import AtomicProperties
import CaseSupport

// On the main thread; its caller goes on with another thread than before.
@MainActor func load(into pages: inout [String]) async {
  pages.append("page")
}

@main enum Program {
  static func main() async {
    let pages = AtomicProperty<[String]>([])
    await Task.detached(executorPreference: ThreadPerPart()) { await load(into: &pages.value) }.value
    conclude(pages.value, shouldBe: ["page"])
  }
}
