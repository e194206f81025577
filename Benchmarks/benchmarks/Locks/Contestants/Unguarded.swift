internal import Synchronization

/// An integer without a lock, which is correct on one thread, or while no thread writes.
///
/// Relaxed atomic operations read and write the integer, with the same machine instructions as plain
/// accesses. The optimiser can't remove these operations, and concurrent use has defined behaviour.
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
