package import InterlockCore
public import InterlockWaits

/// The tasks that wait for one primitive: a `TaskWaiterList` behind a lock.
///
/// A task that finds in `withList` that it must wait joins the list in the same call. It then calls `wait`,
/// without the lock. Another thread takes the waiter from the list in `withList`, and resumes it after that
/// call. Cancellation and deadlines take the waiter from the list in `giveUp`, which does not change the
/// primitive's state. So a primitive finds out only later that its list has become empty.
///
/// No continuation is made or resumed under the lock, and no user code runs under it.
///
/// The queue is an object apart from the primitive, so that the timer's reference to it does not keep the
/// value that the primitive guards alive.
@usableFromInline
package final class TaskWaiterQueue: @unchecked Sendable {
  // `@unchecked Sendable` is sound: `lock` guards the list.
  @usableFromInline
  let lock = CoreLock()

  // Sound: accessed only in `withList`. The dynamic exclusivity check would repeat what the lock ensures.
  @exclusivity(unchecked)
  @usableFromInline
  nonisolated(unsafe) var list = TaskWaiterList()

  /// Whether the list has an order by priority.
  let ordersByPriority: Bool

  // Sound: accessed only in `withList`. `PriorityLoan` says more.
  @exclusivity(unchecked)
  nonisolated(unsafe) var loan = PriorityLoan()

  /// Held while the priority of a holder is raised.
  let lending = CoreLock()

  package init(ordersByPriority: Bool = false) { self.ordersByPriority = ordersByPriority }

  /// The number of waiting tasks, for tests.
  @_alwaysEmitIntoClient
  package var count: Int { withList { $0.count } }

  /// Runs `body` with the list, which it may change, under the lock; returns the result of `body`.
  ///
  /// `body` must resume no waiter. The caller must do that after this call.
  // Generic: without a copy in the calling module, each call would go through metadata.
  @_alwaysEmitIntoClient
  package func withList<R: Sendable>(_ body: (inout TaskWaiterList) -> R) -> R {
    lock.withLock { unsafe body(&list) }
  }

  /// Takes all waiters from the list.
  ///
  /// - Returns: The waiters, which the caller must resume.
  package func takeAll() -> [TaskWaiter] {
    withList { list in
      var waiters: [TaskWaiter] = []
      while let waiter = list.removeFirst() { waiters.append(waiter) }
      return waiters
    }
  }

  /// Takes a waiter from the list and sets its outcome, because its task gives up.
  ///
  /// - Returns: The waiter, which the caller must resume; `nil` if the waiter is in no list any more.
  package func giveUp(_ waiter: TaskWaiter, _ outcome: TaskWaiter.Outcome) -> TaskWaiter? {
    withList { list in
      guard list.remove(waiter) else { return nil }
      waiter.give(outcome)
      return waiter
    }
  }

  /// Suspends the calling task until its waiter is served.
  ///
  /// Cancellation does not end the wait.
  ///
  /// - Parameter handOn: Called after the waiter has moved forward in the list, if it is set: those before it may
  ///   hold something back that is enough for it.
  package func wait(
    _ waiter: TaskWaiter, isolation: isolated (any Actor)? = #isolation,
    onMovingForward handOn: (@Sendable () -> Void)? = nil
  ) async {
    await lendingPriority(of: waiter, onMovingForward: handOn) {
      _ = isolation
      await waiter.waitUntilResumed()
    }
  }

  /// Suspends the calling task until its waiter is served, the task is cancelled, or the deadline passes.
  ///
  /// If the task is cancelled already, it gives up immediately, unless its waiter has been served.
  ///
  /// - Parameters:
  ///   - handOn: Called after the waiter has left the list because the task gives up, before the task is
  ///     resumed: it may have held something back for those behind it. Called as well as in the function above.
  /// - Returns: How the wait has ended.
  package func wait(
    _ waiter: TaskWaiter, unlessCancelledUntil deadline: Deadline,
    isolation: isolated (any Actor)? = #isolation,
    onGivingUp handOn: (@Sendable () -> Void)? = nil
  ) async -> TaskWaiter.Outcome {
    await lendingPriority(of: waiter, onMovingForward: handOn) {
      _ = isolation
      return await waiter.wait(until: deadline) {
        guard let waiter = self.giveUp(waiter, deadline.hasPassed ? .timedOut : .cancelled) else { return }
        handOn?()
        waiter.resume()
      }
    }
  }
}
