// A lazy value of a non-Sendable type.
//
// It is made once; then all threads change it without a lock.
//
// It compiles in Swift 5 mode.

import LazyInitialization

#if WRONG
  let current = Lazy { Document() }
// error: let 'current' is not concurrency-safe because non-'Sendable' type 'Lazy<Document>' may
// have shared mutable state
// error: type 'Document' does not conform to the 'Sendable' protocol
#else
  let edits = Lazy { 0 }
#endif
