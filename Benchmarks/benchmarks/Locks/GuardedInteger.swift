/// An integer behind a lock: a contestant of the suite "locks".
///
/// The integer is stored beside the lock, for all contestants alike, as in a class that contains both.
/// Implementations are noncopyable structs whose functions are inlined into the loop, as a lock is in a
/// client's code.
protocol GuardedInteger: ~Copyable, Sendable {
  /// Calls `body` with the integer in a read section.
  borrowing func read(_ integer: UnsafeMutablePointer<Int>, _ body: (Int) -> Int) -> Int

  /// Calls `body` with the integer in a write section.
  borrowing func write(_ integer: UnsafeMutablePointer<Int>, _ body: (inout Int) -> Int) -> Int
}

// The bodies of the measured sections. They are named functions: the compiler copies a lock's code for each
// closure, and merges equal copies behind a jump, which would then be measured.

/// The body of a read section.
@inline(__always)
func unchanged(_ value: Int) -> Int { value }

/// The body of a write section.
@inline(__always)
func incremented(_ value: inout Int) -> Int {
  value &+= 1
  return value
}
