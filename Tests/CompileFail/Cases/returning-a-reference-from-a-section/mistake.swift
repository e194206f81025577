// Returning a reference from a section.
//
// Code that has it changes the object without the lock, while a section of another thread uses it.
//
// Silently wrong: The closure's result is `sending`, and so is its parameter; the compiler (6.3) takes the value, and what it
// refers to, for something that the section may hand on, although it stays behind the lock. `Synchronization.Mutex` has
// the same hole, and no lock sees who has a reference. Return what is Sendable, or use `exchange(_:)`, which leaves nothing
// behind.

import Protectors

func run() {
  let shared = ExclusiveProtector(Document())
  let inside = Gate()
  let changed = Gate()
  #if WRONG
    let document = shared.withLock { $0 }
  #endif
  let end = startThread {
    shared.withLock { document in
      let edits = document.edits
      inside.open()
      changed.pass()
      document.edits = edits + 1
    }
  }
  inside.pass()
  #if WRONG
    document.edits += 1
  #endif
  changed.open()
  #if !WRONG
    shared.withLock { $0.edits += 1 }
  #endif
  end.pass()
  conclude(shared.withLock { $0.edits }, shouldBe: 2)
}
