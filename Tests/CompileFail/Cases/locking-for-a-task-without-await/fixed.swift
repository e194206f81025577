import AsyncLocks

func deposit(_ balance: AsyncMutex<Int>) async {
  await balance.withLock { $0 += 30 }
}
