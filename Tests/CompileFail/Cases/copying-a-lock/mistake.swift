// Copying a lock.
//
// Two copies exclude nobody: each thread takes its own.

import UnfairLocks

final class Account: Sendable {
  let lock = UnfairLock()

  func withLock(_ body: () -> Void) {
    #if WRONG
      let lock = self.lock
    // error: 'self.lock' is borrowed and cannot be consumed
    #endif
    lock.withLock { body() }
  }
}
