// Waiting for a permit without await.
//
// The wait would block a thread of the pool, which may be the one that has to run the task with the permit.

import AsyncLocks

func load(_ downloads: AsyncSemaphore, _ name: String) async -> String {
  #if WRONG
    downloads.withPermit { await download(name) }
  // error: expression is 'async' but is not marked with 'await'
  #else
    await downloads.withPermit { await download(name) }
  #endif
}

func loadFirst(_ downloads: AsyncSemaphore) async -> String {
  #if WRONG
    await downloads.wait()
    // error: 'wait()' is unavailable: pass the work as a closure, which may await: await withPermit
    // { … }
    defer { downloads.signal() }
    // error: 'signal()' is unavailable: a permit is returned at the end of the closure of withPermit
    return await download("first")
  #else
    await downloads.withPermit { await download("first") }
  #endif
}

func download(_ name: String) async -> String { name }
