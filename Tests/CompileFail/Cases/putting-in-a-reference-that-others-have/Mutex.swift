import Synchronization

func open(_ document: Document, in documents: borrowing Mutex<[Document]>) {
  documents.withLock { $0.append(document) }
  // error: 'inout sending' parameter '$0' cannot be task-isolated at end of function
}
