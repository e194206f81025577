// A mailbox of a non-Sendable type.
//
// The sender uses the object beside the task that has received it.
//
// It compiles in Swift 5 mode.

import Jobs

#if WRONG
  func send(_ document: Document, to mailbox: Mailbox<Document>) async {
    // error: type 'Document' does not conform to the 'Sendable' protocol
    _ = try? await mailbox.send(document)
    // error: type 'Document' does not conform to the 'Sendable' protocol
  }
#else
  func send(_ document: Document, to mailbox: Mailbox<Int>) async {
    _ = try? await mailbox.send(document.edits)
  }
#endif
