// A snapshot of a non-Sendable value.
//
// All threads read the value at the same time; one of them changes what it refers to.
//
// It compiles in Swift 5 mode.

import Snapshots

final class Server: Sendable {
  #if WRONG
    let current = Snapshot(Document())
  // error: stored property 'current' of 'Sendable'-conforming class 'Server' contains non-Sendable
  // type 'Document'
  // error: type 'Document' does not conform to the 'Sendable' protocol
  #else
    let edits = Snapshot(0)
  #endif
}
