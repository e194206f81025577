public import CInterlock

/// A number that identifies a task: unique among the live tasks of the process.
///
/// It is not 0, and its low bits are free for flags.
@usableFromInline
package enum TaskIdentity {
  /// The mask of the low bits, which are 0 in every task's number.
  @_alwaysEmitIntoClient
  @_transparent
  package static var freeBits: UInt64 { 0xf }

  /// The number of the calling task; 0 outside of tasks.
  @_alwaysEmitIntoClient
  @_transparent
  package static var current: UInt64 { UInt64(interlock_task_id()) }
}
