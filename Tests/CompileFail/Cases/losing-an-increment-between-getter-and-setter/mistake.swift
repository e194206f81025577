// Losing an increment between getter and setter.
//
// `+=` reads under the lock, releases it, acquires it again and writes: what another thread wrote in between is lost.

import AtomicProperties

final class Statistics: Sendable {
  #if WRONG
    let hits = LockFreeProperty(0)
  #else
    let hits = AtomicProperty(0)
  #endif

  func record() {
    hits.value += 1
    // error: left side of mutating operator isn't mutable: 'value' is a get-only property
  }
}
