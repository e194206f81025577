internal import InterlockCore
internal import InterlockTasks
internal import InterlockWaits

// The slow path for tasks, which are suspended while they wait and block no thread.

extension OnceCore {
  /// The next step of a task that needs a completed body.
  enum Step: Equatable {
    /// Run the body, then call `finishTask` or `abandonTask`. A waiting task may have a higher priority.
    case run(isBelow: Bool)
    /// Do nothing: a body has completed.
    case proceed
    /// Wait for the runner.
    case wait
  }

  /// Makes the calling task the *runner*, which must run the body, or suspends the task until a body has
  /// completed.
  ///
  /// Traps if the calling task is the runner already.
  ///
  /// - Parameters:
  ///   - core: The state of the `OnceCell`.
  ///   - kind: The type that contains the core, for messages.
  ///   - call: The words for this call in the trap's message.
  /// - Returns: Whether the task is the runner, and must call `finishTask` or `abandonTask`.
  /// - Throws: `CancellationError` if the task was cancelled while it waited for the runner.
  static func beginTask(
    _ core: borrowing OnceCore, _ kind: PrimitiveKind, _ call: StaticString,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Bool {
    let key = core.state.key
    if TaskWaiterTable.isOwnedByCallingTask(key) { trapRecursion(core.probe.primitive(kind), call) }
    let queue = TaskWaiterTable.join(key)
    let waiter = TaskWaiter(priority: TaskIdentity.currentPriority)
    var hasWaited = false
    while true {
      switch beginOrJoin(core, waiter, queue, hasWaited: hasWaited) {
      case .run(let isBelow):
        TaskWaiterTable.setOwner(TaskIdentity.current, of: key)
        if isBelow { queue.lend() }
        return true
      case .wait:
        guard await queue.wait(waiter, unlessCancelledUntil: .never) == .cancelled else { break }
        TaskWaiterTable.leave(key)
        throw CancellationError()
      case .proceed:
        TaskWaiterTable.leave(key)
        return false
      }
      waiter.rearm()
      hasWaited = true
    }
  }

  /// Records that the calling task's body has completed, and wakes all waiting threads and tasks.
  static func finishTask(_ core: borrowing OnceCore) {
    endTask(core)
    endRun(core)
    TaskWaiterTable.leave(core.state.key)
  }

  /// Records that the calling task's body threw, and lets a waiting thread or task run its own body.
  static func abandonTask(_ core: borrowing OnceCore) {
    endTask(core)
    endRun(core, abandonedBy: byTask)
    TaskWaiterTable.leave(core.state.key)
  }

  private static func endTask(_ core: borrowing OnceCore) {
    TaskWaiterTable.setOwner(0, of: core.state.key)
    TaskWaiterTable.queue(of: core.state.key)!.endHolding()
  }

  // MARK: The state machine

  /// Makes the waiter's task the runner if there is none and no body has completed.
  ///
  /// If another thread or task is the runner, or the turn was granted to another task, puts the waiter into
  /// the list of `queue`.
  ///
  /// - Parameter hasWaited: Whether the waiter was taken from the list before. If so, the granted turn is
  ///   perhaps its own, and otherwise the task was overtaken and waits at the front.
  /// - Returns: The task's next step.
  static func beginOrJoin(
    _ core: borrowing OnceCore, _ waiter: TaskWaiter, _ queue: TaskWaiterQueue, hasWaited: Bool
  ) -> Step {
    queue.withList { list in
      while true {
        let state = core.state.loadAcquiring()
        if state == complete { return .proceed }
        if runner(state) == 0, hasWaited || !has(granted, state) {
          let desired = state & ~granted | byTask
          if core.state.compareExchangeAcquiring(expected: state, desired: desired).exchanged {
            return .run(isBelow: queue.setHolder(TaskIdentity.current, &list))
          }
          continue
        }
        let desired = (hasWaited ? state & ~granted : state) | tasks
        if state == desired
          || core.state.compareExchangeRelaxed(expected: state, desired: desired).exchanged
        {
          if hasWaited { list.prepend(waiter) } else { list.append(waiter) }
          queue.willLend(waiter)
          return .wait
        }
      }
    }
  }
}
