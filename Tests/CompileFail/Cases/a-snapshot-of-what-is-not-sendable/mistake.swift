// A snapshot of a non-Sendable value.
//
// All threads read the value at the same time; one of them changes what it refers to.
//
// It compiles in Swift 5 mode.

import Snapshots

#if WRONG
  final class Cache {
    var hits = 0
  }
#else
  final class Cache: Sendable {
    let hits = 0
  }
#endif

final class Server: Sendable {
  let cache = Snapshot(Cache())
  // error: type 'Cache' does not conform to the 'Sendable' protocol
  // error: stored property 'cache' of 'Sendable'-conforming class 'Server' contains non-Sendable
  // type 'Cache'
}
