// Using a reference given to an AsyncMutex.
//
// The function and the sections of tasks use the same object at the same time.
//
// It compiles in Swift 5 mode.

import AsyncLocks

func make() -> AsyncMutex<Document> {
  let document = Document()
  #if WRONG
    let mutex = AsyncMutex(document)
    // error: sending 'document' risks causing data races
    document.edits = 1
    return mutex
  #else
    document.edits = 1
    return AsyncMutex(document)
  #endif
}
