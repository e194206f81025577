// Waiting for several values that are not Sendable.
//
// The predicate keeps an object, or makes both values refer to one. It is then used without its lock.
//
// It compiles in Swift 5 mode.

import Protectors

#if WRONG
  func wait(for first: ExclusiveProtector<Document>, _ second: ExclusiveProtector<Document>) {
    withWriteLocks(first, second, waitingUntil: { $0.edits == $1.edits }) { _, _ in }
    // error: type 'Document' does not conform to the 'Sendable' protocol
  }
#else
  func wait(for first: ExclusiveProtector<Int>, _ second: ExclusiveProtector<Int>) {
    withWriteLocks(first, second, waitingUntil: { $0 == $1 }) { _, _ in }
  }
#endif
