// Using a reference given to an AsyncMutex.
//
// The function and the sections of tasks use the same object at the same time.
//
// It compiles in Swift 5 mode.

import AsyncLocks

final class Session {
  var isOpen = true
}

func make() -> AsyncMutex<Session> {
  let session = Session()
  #if WRONG
    let mutex = AsyncMutex(session)
    // error: sending 'session' risks causing data races
    session.isOpen = false
    return mutex
  #else
    session.isOpen = false
    return AsyncMutex(session)
  #endif
}
