/// An integer behind a lock: what the contestants of the suite "locks" are to the loops that measure them.
///
/// The integer stands beside the lock, for all contestants alike, as in a class that holds both.
/// Implementations are noncopyable structs whose functions are inlined into the loop, as the lock would be in
/// a client's code.
protocol GuardedInteger: ~Copyable, Sendable {
  /// Calls `body` with the integer in a read section.
  borrowing func read(_ integer: UnsafeMutablePointer<Int>, _ body: (Int) -> Int) -> Int

  /// Calls `body` with the integer in a write section.
  borrowing func write(_ integer: UnsafeMutablePointer<Int>, _ body: (inout Int) -> Int) -> Int
}

// What is done in the sections that are measured. Functions with a name, because a lock's code is copied for
// each closure, and the compiler merges copies that turn out equal behind a jump, which would be measured
// with them.

/// The body of a read section.
@inline(__always)
func unchanged(_ value: Int) -> Int { value }

/// The body of a write section.
@inline(__always)
func incremented(_ value: inout Int) -> Int {
  value &+= 1
  return value
}
