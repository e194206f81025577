// Ignoring that a write timed out.
//
// The lock was held for too long, the deposit was not made, and nobody knows.

import Protectors

struct Account: Sendable {
  let balance = Protector(100)
  let refused = Protector(0)

  func deposit(_ amount: Int) {
    #if WRONG
      balance.withWriteLock(timeout: .milliseconds(10)) { $0 += amount }
    // error: call can throw, but it is not marked with 'try' and the error is not handled
    #else
      do {
        try balance.withWriteLock(timeout: .milliseconds(10)) { $0 += amount }
      } catch {
        refused.withWriteLock { $0 += amount }
      }
    #endif
  }
}

func run() {
  let account = Account()
  account.balance.withWriteLock { balance in
    onAnotherThread { account.deposit(50) }
    balance += 30
  }
  conclude(account.balance.value + account.refused.value, shouldBe: 180)
}
