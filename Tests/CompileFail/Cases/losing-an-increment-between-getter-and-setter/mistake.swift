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
    // error: setter for 'value' is unavailable: a store and an update name their ordering: store(_:ordering:),
    // wrappingAdd(_:ordering:), update(ordering:_:)
  }
}
