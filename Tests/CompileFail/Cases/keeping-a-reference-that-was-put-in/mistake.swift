// Keeping a reference to the initial value.
//
// Code that has it changes the object without the lock, while a section of another thread uses it.
//
// It compiles in Swift 5 mode.

import Protectors

func share() -> ExclusiveProtector<Document> {
  let document = Document()
  #if WRONG
    let shared = ExclusiveProtector(document)
  // error: sending 'document' risks causing data races
  #endif
  document.edits += 1
  #if !WRONG
    let shared = ExclusiveProtector(document)
  #endif
  return shared
}
