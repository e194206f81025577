internal import InterlockCore
package import InterlockWaits

extension TaskIdentity {
  /// The priority of the calling task.
  package static var currentPriority: UInt8 { Task.currentPriority.rawValue }

  /// The priority of a task, which must not end meanwhile.
  static func priority(of task: UInt64) -> UInt8 {
    // Sound: the type is one word, the address of the task.
    unsafe unsafeBitCast(UInt(task), to: UnsafeCurrentTask.self).priority.rawValue
  }

  /// Raises the priority of a task, which must not end meanwhile; has no effect if its priority is not lower.
  ///
  /// Runs the task's escalation handlers, so call it under no lock that one of them acquires.
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  static func escalate(_ task: UInt64, to priority: UInt8) {
    // Sound: as above.
    unsafe unsafeBitCast(UInt(task), to: UnsafeCurrentTask.self)
      .escalatePriority(to: TaskPriority(rawValue: priority))
  }

  /// Calls `body` soon on another thread: for escalation handlers, which must escalate no task (`PriorityLoan`).
  package static func afterEscalation(_ body: @escaping @Sendable () -> Void) {
    DeadlineTimer.shared.schedule(.init(Deadline(nanoseconds: Deadline.now), body))
  }
}
