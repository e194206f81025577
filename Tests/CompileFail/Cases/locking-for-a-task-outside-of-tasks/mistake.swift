// Locking an AsyncMutex outside tasks.
//
// A thread that waits for a task blocks. If the task needs that thread, neither goes on.

import AsyncLocks
#if !WRONG
  import Protectors
#endif

#if WRONG
  func deposit(_ balance: AsyncMutex<Int>) {
    await balance.withLock { $0 += 30 }
    // error: 'async' call in a function that does not support concurrency
  }
#else
  func deposit(_ balance: ExclusiveProtector<Int>) {
    balance.withLock { $0 += 30 }
  }
#endif
