// Ignoring that a cancelled task got no lock.
//
// The task goes on with a number that it never got.

import AsyncLocks

#if WRONG
  func next(_ tickets: AsyncMutex<Int>) async -> Int {
    await tickets.withLockUnlessCancelled { tickets -> Int in
      // error: cannot convert return expression of type 'Int?' to return type 'Int'
      tickets += 1
      return tickets
    }
  }
#else
  func next(_ tickets: AsyncMutex<Int>) async throws -> Int {
    let ticket = await tickets.withLockUnlessCancelled { tickets -> Int in
      tickets += 1
      return tickets
    }
    guard let ticket else { throw CancellationError() }
    return ticket
  }
#endif
