public import CInterlock

/// A number that no other live thread of the process has.
///
/// It is never 0 and below 2^26, so that it fits into a lock word beside flags; a number is used again once its thread
/// has ended. A child made by `fork` keeps its thread's number, and gives it to no other thread.
@usableFromInline
package enum ThreadIdentity {
  /// The bits a number can occupy.
  @inlinable
  package static var mask: UInt32 { (1 << 26) - 1 }

  /// The calling thread's number: a load of a thread-local, except for a thread's first call.
  @inlinable
  @inline(__always)
  package static var current: UInt32 { interlock_thread_id() }

  /// The system's number for the calling thread, which differs from `current` in a child made by `fork`.
  package static var systemNumber: UInt32 { interlock_system_thread_id() }

  /// The number of the thread that the system numbers `systemNumber`.
  package static func number(ofThreadNumbered systemNumber: UInt32) -> UInt32 {
    interlock_thread_id_for(systemNumber)
  }
}
