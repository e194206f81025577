internal import Synchronization

/// An integer without a lock: correct on one thread, and while no thread writes.
///
/// The integer is read and written by relaxed atomic operations, which are the same machine instructions as
/// plain ones. So the optimiser can't remove any of them, and concurrent use has defined behaviour.
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
