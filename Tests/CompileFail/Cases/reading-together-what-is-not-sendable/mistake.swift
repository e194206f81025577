// Concurrent reads of a non-Sendable value.
//
// Its methods may change it although they look like reading: a cache counts its hits, and two readers lose one.
//
// It compiles in Swift 5 mode.

import Protectors

final class Cache {
  private(set) var hits = 0

  func find() { hits += 1 }
}

func find(in cache: Protector<Cache>) {
  #if WRONG
    cache.withReadLock { $0.find() }
  // error: type 'Cache' does not conform to the 'Sendable' protocol
  #else
    cache.withWriteLock { $0.find() }
  #endif
}
