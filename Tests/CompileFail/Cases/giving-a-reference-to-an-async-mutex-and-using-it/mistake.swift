// Using a reference given to an AsyncMutex.
//
// The function and the sections of tasks use the same object at the same time.
//
// Not with Mutex, NSLock, pthread_rwlock, SerialQueue: they are no locks for tasks; see “Awaiting inside a section”.

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
