public import CInterlock
public import Synchronization

/// A slow path as a function of two words, so that a fast path can name it without paying for it.
///
/// An ordinary call clobbers registers. Code that contains one, be it in a branch that is never taken, keeps what it needs
/// after the call in registers that it has to save at its beginning and restore at its end, and a fast path of ten
/// instructions gets ten more. `callRarely` clobbers nothing (the functions in C between it and the slow path do
/// the saving), so the fast path stays bare. It takes some twenty instructions more where the call is made.
///
/// Such a function must be a global one with the attribute `@c`; the first word is mostly the anchor of what it works on
/// (see `anchor(of:)`).
@usableFromInline
package typealias SlowPath = @convention(c) (UInt, UInt) -> UInt

/// Calls a slow path from beside a fast path.
@inlinable
@inline(__always)
@discardableResult
package func callRarely(_ slowPath: SlowPath, _ first: UInt, _ second: UInt = 0) -> UInt {
  interlock_call_rarely(first, second, slowPath)
}

/// Where an atomic is, as a number: its address less 16.
///
/// Where it is at the beginning of an object's first stored property, behind the object's header of 16 bytes, that is the
/// object's own address, which the code around has in a register anyway. (With the lock's address, a read section of a protector
/// had one instruction more, and took 7 % more time.)
@inlinable
@inline(__always)
package func anchor<Value: AtomicRepresentable>(of atomic: borrowing Atomic<Value>) -> UInt {
  unsafe withUnsafePointer(to: atomic) { UInt(bitPattern: $0) &- anchorOffset }
}

@inlinable
@inline(__always)
package var anchorOffset: UInt { 16 }

/// What is at the anchor that a slow path was given.
///
/// - Parameters:
///   - type: A struct whose first stored property is an atomic, or begins with one.
///   - anchor: That atomic's anchor, which the fast path took.
package func borrow<Core: ~Copyable, R>(
  _ type: Core.Type, at anchor: UInt, _ body: (borrowing Core) -> R
) -> R {
  // Sound: a struct has the address of its first stored property, where an atomic stays while it is borrowed, which
  // the fast path does until the slow path has returned.
  unsafe body(UnsafePointer<Core>(bitPattern: anchor &+ anchorOffset)!.pointee)
}
