// Storing a shared reference in the value.
//
// The caller goes on using the object without the lock, while sections of other threads use it under the lock.
//
// It compiles in Swift 5 mode.

import Protectors

#if WRONG
  func open(_ document: Document, in documents: ExclusiveProtector<[Document]>) {
    documents.withLock { $0.append(document) }
    // error: 'inout sending' parameter '$0' cannot be task-isolated at end of function
  }
#else
  func open(in documents: ExclusiveProtector<[Document]>) {
    documents.withLock { $0.append(Document()) }
  }
#endif
