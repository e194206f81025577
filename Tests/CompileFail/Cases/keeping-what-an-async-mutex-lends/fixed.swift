import AsyncLocks

final class Session {
  var isOpen = true
}

func close(_ session: AsyncMutex<Session>) async {
  await session.withLock { $0.isOpen = false }
}
