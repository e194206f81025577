// A predicate that captures a non-Sendable object.
//
// The threads that write evaluate it: two threads use the captured object, one of them unasked.
//
// It compiles in Swift 5 mode.

import Protectors

func next(_ jobs: Protector<[String]>, _ document: Document) -> String? {
  #if WRONG
    jobs.withWriteLock(waitingUntil: { $0.count > document.edits }) { $0.removeFirst() }
  // error: capture of 'document' with non-Sendable type 'Document' in a '@Sendable' closure
  #else
    jobs.withWriteLock(waitingUntil: { [edits = document.edits] in $0.count > edits }) { $0.removeFirst() }
  #endif
}
