// Calling a function without its lock.
//
// The function changes what sections of other threads rely on.
//
// Traps: UnfairLock: the calling thread does not hold the lock that it must hold here; enter through withLock first

import UnfairLocks

final class Account: @unchecked Sendable {
  let lock = UnfairLock()
  private(set) var balance = 100

  /// Only with the lock.
  func deposit(_ amount: Int) {
    lock.precondition(.owner)
    balance += amount
  }
}

func run() {
  let account = Account()
  #if WRONG
    account.deposit(30)
  #else
    account.lock.withLock { account.deposit(30) }
  #endif
  conclude(account.balance, shouldBe: 130)
}
