// A lazy closure over an object that others change.
//
// The closure runs some time, on any thread, while the object is being changed.
//
// It compiles in Swift 5 mode.

import LazyInitialization

final class Words {
  var all: [String] = []
}

func count() -> Lazy<Int> {
  let words = Words()
  #if WRONG
    let count = Lazy { words.all.count }
  // error: sending value of non-Sendable type '() -> Int' risks causing data races
  #endif
  words.all.append("lock")
  #if !WRONG
    let count = Lazy { words.all.count }
  #endif
  return count
}
