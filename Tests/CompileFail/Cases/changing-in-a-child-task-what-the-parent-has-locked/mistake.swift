// Changing the parent's locked value in a child task.
//
// The child changes the value beside the parent, or after the section, without the lock.

import AsyncLocks

func count(_ pages: AsyncMutex<Int>) async {
  #if WRONG
    await pages.withLock { pages in
      Task { pages += 1 }
      // error: escaping closure captures 'inout' parameter 'pages'
    }
  #else
    Task { await pages.withLock { $0 += 1 } }
  #endif
}
