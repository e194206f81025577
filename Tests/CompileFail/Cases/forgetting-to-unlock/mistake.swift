// Forgetting to unlock on one way out.
//
// The next one who wants the lock waits for ever.
//
// Not with SerialQueue: a piece of work ends with its closure.

import UnfairLocks

final class Account: @unchecked Sendable {
  private let lock = UnfairLock()
  private var balance = 100

  func withdraw(_ amount: Int) -> Bool {
    #if WRONG
      lock.lock()
      // error: value of type 'UnfairLock' has no member 'lock'
      guard amount <= balance else { return false }
      balance -= amount
      lock.unlock()
      // error: value of type 'UnfairLock' has no member 'unlock'
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
