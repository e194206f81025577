// Waiting for a child task that needs the lock.
//
// The child waits for the lock, and the task with the lock for the child.
//
// Hangs: The lock knows its owner, but not whom the owner waits for. Release the lock, or let the child do without it.

import AsyncLocks

func run() async {
  let balance = AsyncMutex(100)
  await balance.withLock { value in
    value += 30
    #if WRONG
      await Task { await balance.withLock { $0 += 50 } }.value
    #endif
  }
  #if !WRONG
    await Task { await balance.withLock { $0 += 50 } }.value
  #endif
  conclude(await balance.withLock { $0 }, shouldBe: 180)
}
