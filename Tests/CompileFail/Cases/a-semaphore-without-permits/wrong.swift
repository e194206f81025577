// A semaphore without permits.
//
// The first task that wants one waits for ever.
//
// Traps: AsyncSemaphore: made with 0 permits, so no task could go on; pass at least 1
//
// Not with Mutex, NSLock, pthread_rwlock, SerialQueue: they are no semaphores.

import AsyncLocks
import CaseSupport

@main enum Program {
  static func main() async {
    let limit = AsyncSemaphore(permits: 0)
    conclude(await limit.withPermit { 42 }, shouldBe: 42)
  }
}
