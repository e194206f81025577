// Waiting for a permit without await.
//
// The wait would block a thread of the pool, which may be the one that has to run the task with the permit.
//
// Not with Mutex, NSLock, pthread_rwlock, SerialQueue: they are no locks for tasks; see “Awaiting inside a section”.

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
