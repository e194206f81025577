import Synchronization

func edit(_ shared: borrowing Mutex<Document>) {
  var kept: Document?
  shared.withLock { kept = $0 }
  // error: 'inout sending' parameter '$0' cannot be task-isolated at end of function
  kept?.edits += 1
}
