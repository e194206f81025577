// Awaiting non-Sendable values.
//
// The task uses the object while other threads change it in sections.
//
// It compiles in Swift 5 mode.

import Protectors

func show(_ document: ExclusiveProtector<Document>) async {
  #if WRONG
    for await document in document.values(of: { $0 }) { print(document.edits) }
  // error: type 'Document' does not conform to the 'Sendable' protocol
  #else
    for await edits in document.values(of: { $0.edits }) { print(edits) }
  #endif
}
