// Ignoring that a cancelled task got no lock.
//
// The task goes on with a number that it never got.

import AsyncLocks

func next(_ tickets: AsyncMutex<Int>) async throws -> Int {
  let ticket = await tickets.withLockUnlessCancelled { tickets -> Int in
    tickets += 1
    return tickets
  }
  #if !WRONG
    guard let ticket else { throw CancellationError() }
  #endif
  return ticket
  // error: value of optional type 'Int?' must be unwrapped to a value of type 'Int'
}
