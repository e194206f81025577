// Reading an exclusive protector beside other readers.
//
// The sections exclude one another, although the code says that they don't.

import Protectors

#if WRONG
  func count(_ names: ExclusiveProtector<[String]>) -> Int {
    names.withReadLock { $0.count }
    // error: 'withReadLock(waitingUntil:timeout:_:)' has been renamed to 'withLock': each section
    // excludes all other threads
  }

  func next(of names: ExclusiveProtector<[String]>) async throws -> String {
    try await names.withWriteLock(waitingUntil: { !$0.isEmpty }) { $0.removeFirst() }
    // error: 'withWriteLock(waitingUntil:timeout:_:)' has been renamed to 'withLock': each section
    // excludes all other threads
  }
#else
  func count(_ names: ExclusiveProtector<[String]>) -> Int {
    names.withLock { $0.count }
  }

  func next(of names: ExclusiveProtector<[String]>) async throws -> String {
    try await names.withLock(waitingUntil: { !$0.isEmpty }) { $0.removeFirst() }
  }
#endif
