// Ignoring that a cancelled task got no lock.
//
// The task goes on with a number that it never got.

import AsyncLocks

func next(_ tickets: AsyncMutex<Int>) async throws -> Int {
  #if WRONG
    return await tickets.withLockUnlessCancelled {
      // error: call can throw but is not marked with 'try'
      $0 += 1
      return $0
    }
  #else
    return try await tickets.withLockUnlessCancelled {
      $0 += 1
      return $0
    }
  #endif
}
