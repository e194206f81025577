// Throwing a typed error from a section that doesn't name it.
//
// A closure with `try` throws any error, so a caller could not be sure of the type.

import Protectors

struct Overdrawn: Error {}

func check(_ balance: Int) throws(Overdrawn) {
  if balance < 0 { throw Overdrawn() }
}

func pay(_ balance: Protector<Int>) throws(Overdrawn) {
  #if WRONG
    try balance.withReadLock { try check($0) }
  // error: thrown expression type 'any Error' cannot be converted to error type 'Overdrawn'
  #else
    try balance.withReadLock { balance throws(Overdrawn) in try check(balance) }
  #endif
}
