// Locking a protector without saying what for.
//
// The section may write while others read, or readers exclude each other for nothing.

import Protectors

func add(_ name: String, to names: Protector<[String]>) {
  #if WRONG
    names.withLock { $0.append(name) }
  // error: 'withLock(waitingUntil:timeout:_:)' is unavailable: use withWriteLock to change the
  // value, and withReadLock to read it
  #else
    names.withWriteLock { $0.append(name) }
  #endif
}

func clear(_ names: Protector<[String]>) {
  #if WRONG
    names.lock()
    // error: 'lock()' is unavailable: pass the critical section as a closure: withLock { … } or
    // withWriteLock { … }
    defer { names.unlock() }
  // error: 'unlock()' is unavailable: a section ends with the closure of withLock or withWriteLock
  #else
    names.withWriteLock { $0 = [] }
  #endif
}
