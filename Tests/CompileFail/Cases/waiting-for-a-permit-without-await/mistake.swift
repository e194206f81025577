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

func download(_ name: String) async -> String { name }
