/// An integer behind a lock: a contestant of the suite "locks".
///
/// The functions get the address of an integer that is stored beside the lock, as in a class that contains
/// both. An implementation that contains an integer of its own uses that instead. Implementations are
/// noncopyable structs whose functions are inlined into the measured loop, as a lock is inlined into a
/// client's code.
protocol GuardedInteger: ~Copyable, Sendable {
  /// Calls `body` with the integer while the lock is held for reading.
  borrowing func read(_ integer: UnsafeMutablePointer<Int>, _ body: (Int) -> Int) -> Int

  /// Calls `body` with the integer while the lock is held for writing.
  borrowing func write(_ integer: UnsafeMutablePointer<Int>, _ body: (inout Int) -> Int) -> Int
}

// The bodies of the measured critical sections. They are named functions, because the compiler copies a
// lock's code for each closure. It merges equal copies behind a jump, which would be measured too.

/// The body of a read section: returns the integer.
@inline(__always)
func unchanged(_ value: Int) -> Int { value }

/// The body of a write section: increments the integer and returns it.
@inline(__always)
func incremented(_ value: inout Int) -> Int {
  value &+= 1
  return value
}
