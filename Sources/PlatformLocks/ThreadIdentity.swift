public import CInterlock

/// A number that no other live thread of the process has.
///
/// It is never 0 and below 2^26, so that it fits into a lock word beside flags; a number is used again once its thread
/// has ended. After `fork` the child's thread keeps the number it had in the parent.
@usableFromInline
package enum ThreadIdentity {
  /// The bits a number can occupy.
  @inlinable
  package static var mask: UInt32 { (1 << 26) - 1 }

  /// The calling thread's number: a load of a thread-local, except for a thread's first call.
  @inlinable
  @inline(__always)
  package static var current: UInt32 { interlock_thread_id() }
}
