public import CInterlock

/// A slow path as a function of two words, so that a fast path can name it without paying for it.
///
/// An ordinary call clobbers registers. Code that contains one, be it in a branch that is never taken, keeps what it needs
/// after the call in registers that it has to save at its beginning and restore at its end, and a fast path of ten
/// instructions gets ten more. `callRarely` clobbers nothing (the functions in C between it and the slow path do
/// the saving), so the fast path stays bare. It takes some twenty instructions more where the call is made.
///
/// Such a function must be a global one with the attribute `@c`; the first word is the address of what it works on.
@usableFromInline
package typealias SlowPath = @convention(c) (UInt, UInt) -> UInt

/// Calls a slow path from beside a fast path.
@inlinable
@inline(__always)
@discardableResult
package func callRarely(_ slowPath: SlowPath, _ first: UInt, _ second: UInt = 0) -> UInt {
  interlock_call_rarely(slowPath, first, second)
}

/// What is at the address that a slow path was given.
///
/// - Parameters:
///   - type: A lock's core, whose first stored property has the address.
///   - address: The address, which the fast path took.
package func borrow<Core: ~Copyable, R>(
  _ type: Core.Type, at address: UInt, _ body: (borrowing Core) -> R
) -> R {
  // Sound: a struct has the address of its first stored property; a lock stays where it is while it is borrowed, which
  // the fast path does until the slow path has returned.
  unsafe body(UnsafePointer<Core>(bitPattern: address)!.pointee)
}
