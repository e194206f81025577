import AsyncLocks

func next(_ tickets: AsyncMutex<Int>) async throws -> Int {
  let ticket = await tickets.withLockUnlessCancelled { tickets -> Int in
    tickets += 1
    return tickets
  }
  guard let ticket else { throw CancellationError() }
  return ticket
}
