// Keeping the value of an AsyncMutex.
//
// The task uses the session after the section, while the next one is in it.
//
// It compiles in Swift 5 mode.

import AsyncLocks

final class Session {
  var isOpen = true
}

func close(_ session: AsyncMutex<Session>) async {
  #if WRONG
    var kept: Session?
    await session.withLock { kept = $0 }
    // error: 'inout sending' parameter '$0' cannot be nonisolated(nonsending) task-isolated at end of
    // function
    kept?.isOpen = false
  #else
    await session.withLock { $0.isOpen = false }
  #endif
}
