import AsyncLocks

final class Session {
  var isOpen = true
}

func make() -> AsyncMutex<Session> {
  let session = Session()
  session.isOpen = false
  return AsyncMutex(session)
}
