// Keeping a reference handed into a section.
//
// The caller goes on using the object without the lock, while sections of other threads use it under the lock.
//
// It compiles in Swift 5 mode.

import Protectors

func open(in documents: ExclusiveProtector<[Document]>) {
  let document = Document()
  #if WRONG
    documents.withLock(sending: document) { documents, document in documents.append(document) }
  // error: sending 'document' risks causing data races
  #endif
  document.edits = 1
  #if !WRONG
    documents.withLock(sending: document) { documents, document in documents.append(document) }
  #endif
}
