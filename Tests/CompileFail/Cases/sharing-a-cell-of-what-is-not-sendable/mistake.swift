// Sharing a cell of a non-Sendable type.
//
// The value is set once; then all threads change what it refers to without a lock.
//
// It compiles in Swift 5 mode.

import LazyInitialization

final class Server: Sendable {
  #if WRONG
    let current = OnceCell<Document>()
  // error: stored property 'current' of 'Sendable'-conforming class 'Server' contains non-Sendable
  // type 'Document'
  #else
    let edits = OnceCell<Int>()
  #endif
}
