internal import UnfairLocks

/// An integer behind an `UnfairLock`.
struct BehindUnfairLock: GuardedInteger, ~Copyable {
  private let lock = UnfairLock()

  @inline(__always)
  borrowing func read(_ integer: UnsafeMutablePointer<Int>, _ body: (Int) -> Int) -> Int {
    lock.withLock { body(integer.pointee) }
  }

  @inline(__always)
  borrowing func write(_ integer: UnsafeMutablePointer<Int>, _ body: (inout Int) -> Int) -> Int {
    lock.withLock { body(&integer.pointee) }
  }
}
