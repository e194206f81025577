// Locking an AsyncMutex twice in one task.
//
// The task waits for itself, and everybody else for it.
//
// Traps: AsyncMutex: locked by the task that already holds it; take it once, and call what needs it from outside the
// section

import AsyncLocks

func run() async {
  let balance = AsyncMutex(100)
  await balance.withLock { value in
    value += 30
    #if WRONG
      await balance.withLock { $0 += 50 }
    #endif
  }
  #if !WRONG
    await balance.withLock { $0 += 50 }
  #endif
  conclude(await balance.withLock { $0 }, shouldBe: 180)
}
