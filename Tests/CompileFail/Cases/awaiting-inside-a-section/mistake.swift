// Awaiting inside a section.
//
// The thread goes on with other tasks while the lock is held; one of them wants the lock, and nothing moves any more. Or the
// task goes on with another thread, which can't release what it does not hold.

import Protectors

func load() async -> String { "page" }

func refresh(_ pages: Protector<[String]>) async {
  #if WRONG
    await pages.withWriteLock { $0.append(await load()) }
  // error: cannot pass function of type '(inout sending [String]) async -> sending ()' to parameter
  // expecting synchronous function type
  #else
    let page = await load()
    pages.withWriteLock { $0.append(page) }
  #endif
}
