internal import Protectors

/// `Protector`, which holds its integer itself.
struct BehindProtector: GuardedInteger, ~Copyable {
  private let protector = Protector(0)

  @inline(__always)
  borrowing func read(_ integer: UnsafeMutablePointer<Int>, _ body: (Int) -> Int) -> Int {
    protector.withReadLock { body($0) }
  }

  @inline(__always)
  borrowing func write(_ integer: UnsafeMutablePointer<Int>, _ body: (inout Int) -> Int) -> Int {
    protector.withWriteLock { body(&$0) }
  }
}
