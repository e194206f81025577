// A projection that captures a non-Sendable object.
//
// Each task that awaits the values runs it: two threads use the captured object.
//
// It compiles in Swift 5 mode.

import Protectors

func sums(_ number: Protector<Int>, _ document: Document) -> ProtectorValues<Int> {
  #if WRONG
    number.values(of: { $0 + document.edits })
  // error: capture of 'document' with non-Sendable type 'Document' in a '@Sendable' closure
  #else
    number.values(of: { [edits = document.edits] in $0 + edits })
  #endif
}
