// A lazy value of a non-Sendable type.
//
// It is made once; then all threads change it without a lock.
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

let cache = Lazy { Cache() }
// error: let 'cache' is not concurrency-safe because non-'Sendable' type 'Lazy<Cache>' may have
// shared mutable state
// error: type 'Cache' does not conform to the 'Sendable' protocol
