internal import ReadWriteLocks

/// An integer behind one of the package's read/write locks.
struct BehindReadWriteLock<Lock: ReadWriteLock & ~Copyable>: GuardedInteger, ~Copyable {
  private let lock: Lock

  init(_ lock: consuming Lock) {
    self.lock = lock
  }

  @inline(__always)
  borrowing func read(_ integer: UnsafeMutablePointer<Int>, _ body: (Int) -> Int) -> Int {
    lock.withReadLock { body(integer.pointee) }
  }

  @inline(__always)
  borrowing func write(_ integer: UnsafeMutablePointer<Int>, _ body: (inout Int) -> Int) -> Int {
    lock.withWriteLock { body(&integer.pointee) }
  }
}
