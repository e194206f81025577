// `@AtomicProperty var` in a Sendable class.
//
// The wrapper in a `var` can be replaced as a whole, without any lock, while others use it.
//
// It compiles in Swift 5 mode.

import AtomicProperties

final class Statistics: Sendable {
  #if WRONG
    @AtomicProperty var hits = 0
  // error: stored property '_hits' of 'Sendable'-conforming class 'Statistics' is mutable
  #else
    let hits = AtomicProperty(0)
  #endif
}
