internal import Synchronization

/// An integer behind a `Synchronization.Mutex`.
struct BehindMutex: GuardedInteger, ~Copyable {
  private let mutex = Mutex(())

  @inline(__always)
  borrowing func read(_ integer: UnsafeMutablePointer<Int>, _ body: (Int) -> Int) -> Int {
    mutex.withLock { _ in body(integer.pointee) }
  }

  @inline(__always)
  borrowing func write(_ integer: UnsafeMutablePointer<Int>, _ body: (inout Int) -> Int) -> Int {
    mutex.withLock { _ in body(&integer.pointee) }
  }
}
