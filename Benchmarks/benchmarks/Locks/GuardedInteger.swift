/// An integer behind a lock, as the suite "locks" measures it.
///
/// The integer is stored beside the lock, and the functions get its address. An implementation that contains
/// an integer of its own ignores the address.
///
/// Implementations are noncopyable structs. The compiler inlines their functions into the measured loop, as
/// it inlines a lock into a client's code.
protocol GuardedInteger: ~Copyable, Sendable {
  /// Calls `body` with the integer while the lock is held for reading, and returns the result of `body`.
  borrowing func read(_ integer: UnsafeMutablePointer<Int>, _ body: (Int) -> Int) -> Int

  /// Calls `body` with the integer while the lock is held for writing, and returns the result of `body`.
  borrowing func write(_ integer: UnsafeMutablePointer<Int>, _ body: (inout Int) -> Int) -> Int
}

// The bodies of the shortest critical sections are named functions and not closures. For each closure, the
// compiler would make another copy of the lock's code. It might then replace a copy by a jump to an equal
// copy, and the jump would be measured too.

/// The body of a read section: returns the integer.
@inline(__always)
func unchanged(_ value: Int) -> Int { value }

/// The body of a write section: increments the integer and returns it.
@inline(__always)
func incremented(_ value: inout Int) -> Int {
  value &+= 1
  return value
}
