internal import Dispatch

/// An integer behind a serial queue.
struct BehindSerialQueue: GuardedInteger, ~Copyable {
  private let queue = DispatchQueue(label: "benchmarks.serial")

  @inline(__always)
  borrowing func read(_ integer: UnsafeMutablePointer<Int>, _ body: (Int) -> Int) -> Int {
    queue.sync { body(integer.pointee) }
  }

  @inline(__always)
  borrowing func write(_ integer: UnsafeMutablePointer<Int>, _ body: (inout Int) -> Int) -> Int {
    queue.sync { body(&integer.pointee) }
  }
}
