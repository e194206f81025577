// Sharing a cell of a non-Sendable type.
//
// The value is set once; then all threads change what it refers to without a lock.
//
// It compiles in Swift 5 mode.

import LazyInitialization

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
  let cache = OnceCell<Cache>()
  // error: stored property 'cache' of 'Sendable'-conforming class 'Server' contains non-Sendable
  // type 'Cache'
}
