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
#else
  func add(_ name: String, to names: Protector<[String]>) {
    names.withWriteLock { $0.append(name) }
  }

  func next(of names: Protector<[String]>) -> String? {
    names.withWriteLock(waitingUntil: { !$0.isEmpty }, timeout: .seconds(1)) { $0.removeFirst() }
  }
#endif
