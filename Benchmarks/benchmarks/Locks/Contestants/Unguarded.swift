internal import Synchronization

/// No lock at all: right on one thread, and where nobody writes.
///
/// The integer is read and written by relaxed atomic operations, which are the same machine instructions as
/// plain ones. The optimiser can't leave any of them out, and threads that use it at the same time have
/// defined behaviour.
struct Unguarded: GuardedInteger, ~Copyable {
  private let ownInteger = Atomic(0)

  @inline(__always)
  borrowing func read(_ integer: UnsafeMutablePointer<Int>, _ body: (Int) -> Int) -> Int {
    body(ownInteger.load(ordering: .relaxed))
  }

  @inline(__always)
  borrowing func write(_ integer: UnsafeMutablePointer<Int>, _ body: (inout Int) -> Int) -> Int {
    var value = ownInteger.load(ordering: .relaxed)
    let result = body(&value)
    ownInteger.store(value, ordering: .relaxed)
    return result
  }
}
