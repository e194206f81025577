public import CInterlock

/// A slow path: a function of two words that a fast path calls out of line.
///
/// An ordinary call clobbers registers. A function with such a call, even in a branch that is never taken, saves registers at
/// its beginning and restores them at its end. A fast path of ten instructions gets ten more. `callOutOfLine` preserves all
/// registers: a function in C between it and the slow path saves them. The call itself takes some twenty instructions more.
///
/// A slow path is a global function with the attribute `@c`. Its first word is the key of the lock (see `LockWord.key`).
@usableFromInline
package typealias SlowPath = @convention(c) (UInt, UInt) -> UInt

/// Calls a slow path from a fast path, and preserves the registers.
@inlinable
@inline(__always)
@discardableResult
package func callOutOfLine(_ slowPath: SlowPath, _ first: UInt, _ second: UInt = 0) -> UInt {
  interlock_call_out_of_line(first, second, slowPath)
}

/// How far a lock's key is before the lock, in bytes.
///
/// A lock is mostly an object's first stored property, and stands behind the object's header of 16 bytes. Then its key is the
/// object's address, which the surrounding code has in a register.
@inlinable
@inline(__always)
package var lockKeyOffset: UInt { 16 }

/// Lends the lock with a key to a slow path.
///
/// - Parameters:
///   - type: A struct whose first stored property is an atomic, or begins with one.
///   - key: The lock's key, which the fast path passed.
package func borrow<Core: ~Copyable, R>(
  _ type: Core.Type, at key: UInt, _ body: (borrowing Core) -> R
) -> R {
  // Sound: a struct has the address of its first stored property, where an atomic stays while it is borrowed, which
  // the fast path does until the slow path has returned.
  unsafe body(UnsafePointer<Core>(bitPattern: key &+ lockKeyOffset)!.pointee)
}
