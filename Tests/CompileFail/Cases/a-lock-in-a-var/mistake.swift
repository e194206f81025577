// A lock in a `var`.
//
// Somebody puts a new lock there while others hold the old one, and two threads are in the section.
//
// It compiles in Swift 5 mode.

import UnfairLocks

final class Account: Sendable {
  #if WRONG
    var lock = UnfairLock()
  // error: stored property 'lock' of 'Sendable'-conforming class 'Account' is mutable
  #else
    let lock = UnfairLock()
  #endif
}
