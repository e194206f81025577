internal import Dispatch

/// An integer behind a concurrent dispatch queue; reads can overlap, and each write is a barrier.
struct BehindConcurrentQueue: GuardedInteger, ~Copyable {
  private let queue = DispatchQueue(label: "benchmarks.concurrent", attributes: .concurrent)

  @inline(__always)
  borrowing func read(_ integer: UnsafeMutablePointer<Int>, _ body: (Int) -> Int) -> Int {
    queue.sync { body(integer.pointee) }
  }

  @inline(__always)
  borrowing func write(_ integer: UnsafeMutablePointer<Int>, _ body: (inout Int) -> Int) -> Int {
    queue.sync(flags: .barrier) { body(&integer.pointee) }
  }
}
