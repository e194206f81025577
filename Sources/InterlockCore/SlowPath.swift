public import CInterlock

/// A slow path: a function that a fast path calls out of line, with two words as arguments.
///
/// A function that contains an ordinary call saves registers at its beginning and restores them at its end,
/// even if the call is never made. That would double a fast path of ten instructions. `callOutOfLine`
/// preserves all registers instead: a C function between the fast path and the slow path saves them. Each
/// such call takes some twenty instructions more.
///
/// A slow path must be a global function with the attribute `@c`. Its first argument is the key of the lock
/// (see `LockWord.key`).
@usableFromInline
package typealias SlowPath = @convention(c) (UInt, UInt) -> UInt

/// Calls a slow path from a fast path and preserves the caller's registers; returns the slow path's result.
@_alwaysEmitIntoClient
@_transparent
@discardableResult
package func callOutOfLine(_ slowPath: SlowPath, _ first: UInt, _ second: UInt = 0) -> UInt {
  interlock_call_out_of_line(first, second, slowPath)
}

/// The distance from a lock's key to the lock, in bytes.
///
/// Most locks are the first stored property of an object, and so come after the object's header of 16 bytes.
/// The key of such a lock is the object's address, which the surrounding code already has in a register.
@_alwaysEmitIntoClient
@_transparent
package var lockKeyOffset: UInt { 16 }

/// Passes the lock that has the key `key` to `body`, in a slow path.
///
/// - Parameters:
///   - type: The lock's type: a struct whose first stored property must be an atomic, or begin with one.
///   - key: The lock's key. The fast path that passed it must borrow the lock until the slow path returns.
@_alwaysEmitIntoClient
package func borrow<Core: ~Copyable, R>(
  _ type: Core.Type, at key: UInt, _ body: (borrowing Core) -> R
) -> R {
  // Sound: a struct has the address of its first stored property. That property is an atomic, which stays in
  // place while it is borrowed, and the fast path borrows it until the slow path returns.
  unsafe body(UnsafePointer<Core>(bitPattern: key &+ lockKeyOffset)!.pointee)
}
