// Locking a protector without saying what for.
//
// The section may write while others read, or readers exclude each other for nothing.

import Protectors

#if WRONG
  func add(_ name: String, to names: Protector<[String]>) {
    names.withLock { $0.append(name) }
    // error: 'withLock(waitingUntil:timeout:_:)' is unavailable: use withWriteLock to change the
    // value, and withReadLock to read it
  }

  func next(of names: Protector<[String]>) -> String? {
    names.withLock(waitingUntil: { !$0.isEmpty }, timeout: .seconds(1)) { $0.removeFirst() }
    // error: 'withLock(waitingUntil:timeout:_:)' is unavailable: use withWriteLock to change the
    // value, and withReadLock to read it
  }

  func clear(_ names: Protector<[String]>) {
    names.lock()
    // error: 'lock()' is unavailable: pass the critical section as a closure: withLock { … } or
    // withWriteLock { … }
    defer { names.unlock() }
    // error: 'unlock()' is unavailable: a section ends with the closure of withLock or withWriteLock
  }
#else
  func add(_ name: String, to names: Protector<[String]>) {
    names.withWriteLock { $0.append(name) }
  }

  func next(of names: Protector<[String]>) -> String? {
    names.withWriteLock(waitingUntil: { !$0.isEmpty }, timeout: .seconds(1)) { $0.removeFirst() }
  }

  func clear(_ names: Protector<[String]>) {
    names.withWriteLock { $0 = [] }
  }
#endif
