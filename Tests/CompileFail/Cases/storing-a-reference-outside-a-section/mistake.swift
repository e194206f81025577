// Storing a section's reference outside.
//
// Code that has it changes the object without the lock, while a section of another thread uses it.
//
// It compiles in Swift 5 mode.

import Protectors

func edit(_ shared: ExclusiveProtector<Document>) {
  #if WRONG
    var kept: Document?
    shared.withLock { kept = $0 }
    // error: 'inout sending' parameter '$0' cannot be task-isolated at end of function
    kept?.edits += 1
  #else
    shared.withLock { $0.edits += 1 }
  #endif
}
