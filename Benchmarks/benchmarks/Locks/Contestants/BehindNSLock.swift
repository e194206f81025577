// Imported for `NSLock` only.
internal import class Foundation.NSLock

/// An integer behind Foundation's `NSLock`.
struct BehindNSLock: GuardedInteger, ~Copyable {
  private let lock = NSLock()

  @inline(__always)
  borrowing func read(_ integer: UnsafeMutablePointer<Int>, _ body: (Int) -> Int) -> Int {
    lock.lock()
    defer { lock.unlock() }
    return body(integer.pointee)
  }

  @inline(__always)
  borrowing func write(_ integer: UnsafeMutablePointer<Int>, _ body: (inout Int) -> Int) -> Int {
    lock.lock()
    defer { lock.unlock() }
    return body(&integer.pointee)
  }
}
