// Forgetting to unlock on one way out.
//
// The next one who wants the lock waits for ever.

import UnfairLocks

final class Account: @unchecked Sendable {
  private let lock = UnfairLock()
  private var balance = 100

  func withdraw(_ amount: Int) -> Bool {
    #if WRONG
      lock.lock()
      // error: 'lock()' is unavailable: pass the section as a closure: withLock { … }
      guard amount <= balance else { return false }
      balance -= amount
      lock.unlock()
      // error: 'unlock()' is unavailable: pass the section as a closure: withLock { … }
      return true
    #else
      lock.withLock {
        guard amount <= balance else { return false }
        balance -= amount
        return true
      }
    #endif
  }
}
