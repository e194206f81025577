public import CInterlock

/// A number that identifies a task: unique among the live tasks of the process.
///
/// It is not 0, and its four low bits are 0.
@usableFromInline
package enum TaskIdentity {
  /// The number of the calling task; 0 outside of tasks.
  @_alwaysEmitIntoClient
  @_transparent
  package static var current: UInt64 { UInt64(interlock_task_id()) }
}
