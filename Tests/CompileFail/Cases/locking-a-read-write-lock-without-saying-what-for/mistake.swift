// Locking a read/write lock without saying what for.
//
// The section may write while others read, or readers exclude each other for nothing.

import ReadWriteLocks

final class Names: Sendable {
  private let lock = CompactReadWriteLock()
  private nonisolated(unsafe) var names: [String] = []

  func add(_ name: String) {
    #if WRONG
      lock.withLock { names.append(name) }
    // error: 'withLock(timeout:_:)' is unavailable: use withWriteLock to exclude all other threads,
    // and withReadLock to read
    #else
      lock.withWriteLock { names.append(name) }
    #endif
  }
}
