// An atomic property of a non-Sendable type.
//
// Each thread takes the reference in one step, and then all change the same object.
//
// It compiles in Swift 5 mode.

import AtomicProperties

#if WRONG
  let current = AtomicProperty(Document())
// error: let 'current' is not concurrency-safe because non-'Sendable' type
// 'AtomicProperty<Document>' may have shared mutable state
// error: type 'Document' does not conform to the 'Sendable' protocol
#else
  let edits = AtomicProperty(0)
#endif
