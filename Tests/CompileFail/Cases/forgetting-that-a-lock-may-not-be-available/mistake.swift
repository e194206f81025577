// Ignoring that a lock was not available.
//
// The caller goes on as if the section had run, or enters without the lock.

import Protectors

#if WRONG
  func deposit(_ amount: Int, to balance: Protector<Int>) -> Int {
    let total: Int = balance.withWriteLockIfAvailable { balance in
      // error: cannot convert value of type 'Int?' to specified type 'Int'
      balance += amount
      return balance
    }
    return total
  }
#else
  func deposit(_ amount: Int, to balance: Protector<Int>) -> Int? {
    let total: Int? = balance.withWriteLockIfAvailable { balance in
      balance += amount
      return balance
    }
    return total
  }
#endif
