internal import Protectors
internal import ReadWriteLocks

/// An integer in a `Protector` or another `LockProtector`.
struct BehindProtector<Lock: ReadWriteLock & ~Copyable>: GuardedInteger, ~Copyable {
  private let protector: LockProtector<Int, Lock>

  init(_ protector: LockProtector<Int, Lock>) {
    self.protector = protector
  }

  @inline(__always)
  borrowing func read(_ integer: UnsafeMutablePointer<Int>, _ body: (Int) -> Int) -> Int {
    protector.withReadLock { body($0) }
  }

  @inline(__always)
  borrowing func write(_ integer: UnsafeMutablePointer<Int>, _ body: (inout Int) -> Int) -> Int {
    protector.withWriteLock { body(&$0) }
  }
}
