public import CInterlock

/// A number that identifies a thread: unique among the live threads of the process.
///
/// It is at least 1 and less than 2^25, so it fits into a lock word beside flags. A number is reused after
/// its thread has ended. In a child made by `fork`, the forking thread keeps its number, and no other thread
/// gets it.
@usableFromInline
package enum ThreadIdentity {
  /// A mask of the bits that a thread's number can occupy.
  @_alwaysEmitIntoClient
  @_transparent
  package static var mask: UInt32 { (1 << 25) - 1 }

  /// The calling thread's number.
  ///
  /// Except for a thread's first call, this is a load of a thread-local.
  @_alwaysEmitIntoClient
  @_transparent
  package static var current: UInt32 { interlock_thread_id() }

  /// The system's number for the calling thread.
  ///
  /// In a child made by `fork` it differs from `current` on the forking thread, and may differ on one other
  /// thread.
  @_alwaysEmitIntoClient
  package static var systemNumber: UInt32 { interlock_system_thread_id() }

  /// The value of `current` on the thread whose system number is `systemNumber`.
  @_alwaysEmitIntoClient
  package static func number(ofThreadNumbered systemNumber: UInt32) -> UInt32 {
    interlock_thread_id_for(systemNumber)
  }
}
