import AsyncLocks

func count(_ pages: AsyncMutex<Int>) async {
  Task { await pages.withLock { $0 += 1 } }
}
