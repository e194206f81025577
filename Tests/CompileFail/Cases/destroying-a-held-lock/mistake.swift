// Destroying a held lock.
//
// A new lock in the same memory is free, and two threads are in the section; or the unlock writes into memory that is another
// one's by then.
//
// Traps: UnfairLock: destroyed while a thread holds it; keep the lock alive until every section has ended

import UnfairLocks

final class Account: @unchecked Sendable {
  let lock = UnsafeMutablePointer<UnfairLock>.allocate(capacity: 1)
  var balance = 100

  init() { lock.initialize(to: UnfairLock()) }

  func reset() {
    lock.deinitialize(count: 1)
    lock.initialize(to: UnfairLock())
  }
}

func run() {
  let account = Account()
  account.lock.pointee.withLock {
    let balance = account.balance
    #if WRONG
      account.reset()
    #endif
    account.balance = balance + 30
  }
  #if !WRONG
    account.reset()
  #endif
  conclude(account.balance, shouldBe: 130)
}
