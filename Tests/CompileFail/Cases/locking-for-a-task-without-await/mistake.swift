// Locking an AsyncMutex without await.
//
// The section would be gone before it has begun, or the function would have to block a thread until the lock is free.

import AsyncLocks

func deposit(_ balance: AsyncMutex<Int>) async {
  #if WRONG
    balance.withLock { $0 += 30 }
  // error: expression is 'async' but is not marked with 'await'
  #else
    await balance.withLock { $0 += 30 }
  #endif
}

func withdraw(_ balance: AsyncMutex<Int>) async {
  #if WRONG
    balance.lock()
    // error: 'lock()' is unavailable: pass the section as a closure, which may await: await withLock
    // { … }
    balance.unlock()
  // error: 'unlock()' is unavailable: a section ends with the closure of withLock
  #else
    await balance.withLock { $0 -= 30 }
  #endif
}
