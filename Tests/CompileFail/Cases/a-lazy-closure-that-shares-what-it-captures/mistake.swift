// A lazy closure over an object that others change.
//
// The closure runs some time, on any thread, while the object is being changed.
//
// It compiles in Swift 5 mode.

import LazyInitialization

func edits() -> Lazy<Int> {
  let document = Document()
  #if WRONG
    let edits = Lazy { document.edits }
  // error: sending value of non-Sendable type '() -> Int' risks causing data races
  #endif
  document.edits += 1
  #if !WRONG
    let edits = Lazy { document.edits }
  #endif
  return edits
}
