// Keeping the value of an AsyncMutex.
//
// The task uses the document after the section, while the next one is in it.
//
// It compiles in Swift 5 mode.

import AsyncLocks

func edit(_ document: AsyncMutex<Document>) async {
  #if WRONG
    var kept: Document?
    await document.withLock { kept = $0 }
    // error: 'inout sending' parameter '$0' cannot be nonisolated(nonsending) task-isolated at end
    // of function
    kept?.edits = 1
  #else
    await document.withLock { $0.edits = 1 }
  #endif
}
