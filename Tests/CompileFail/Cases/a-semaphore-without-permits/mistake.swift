// A semaphore without permits.
//
// The first task that wants one waits for ever.
//
// Traps: AsyncSemaphore: made with 0 permits, so no task could go on; pass at least 1

import AsyncLocks

func run() async {
  #if WRONG
    let limit = AsyncSemaphore(permits: 0)
  #else
    let limit = AsyncSemaphore(permits: 1)
  #endif
  conclude(await limit.withPermit { 42 }, shouldBe: 42)
}
