internal import InterlockCore
package import InterlockWaits

/// The task that all tasks of a `TaskWaiterQueue` wait for, which gets the highest of their priorities.
///
/// # Why
/// The runtime raises the priority of a task that another one awaits. It can't know who will resume a continuation.
///
/// # State
/// The lock of the list guards it.
/// - `holder`: the `TaskIdentity` of that task; 0 if none is known. It has a meaning only while the list is not empty.
/// - `holderPriority`: the holder has at least this priority. Most waiters need not read it from the task, which another
///   processor may be changing.
/// - `isRead`: whether a call of `lend` has read this holder.
///
/// # Steps
/// **P1** A waiter joins, in the critical section that finds the holder. **P2** It lends its priority if that is higher
/// than the holder's. **P3** It registers an escalation handler. **P4** It looks whether it was escalated before P3: the
/// runtime does not call the handler for that. **P5** The handler raises the waiter's priority.
/// **L1** `lend` acquires `lending`. **L2** Under the list's lock, it reads the holder. **L3** It raises the holder's
/// priority. **H1** A holder passes on what it holds, or ends, under the list's lock. **H2** If `isRead`, it acquires and
/// releases `lending` before its task can end. **H3** If the next holder has a lower priority than a waiter, the old
/// one lends it that.
///
/// # Why the holder exists in L3
/// Nothing retains it: that would keep no child task of `async let` alive. L2 finds a holder that has not come to H1. By
/// H2 it then waits for the end of L3, because `lending` is held from L1 on.
///
/// # Why no loan is lost
/// Each waiter's priority is compared with the holder's after it joined or was raised (P2, P4, P5), and after there is a
/// new holder (H3), always under the list's lock. `lend` reads the highest priority under that lock later.
///
/// # What runs under which lock
/// The runtime calls handlers synchronously, and holds a lock of the escalated task meanwhile: it is called the status
/// lock here. The list's lock is inside of it: nothing is resumed, cancelled or escalated under the list's lock. A handler
/// neither resumes nor escalates. The thread of `DeadlineTimer` calls `lend` for it. If the handler did, two chains that
/// share two tasks in opposite orders, which a timeout would end, would acquire their status locks in opposite orders.
/// A holder that waits in H2 waits for the handlers of its own task.
///
/// Nothing lowers a priority again: the runtime has no means for it.
struct PriorityLoan {
  var holder: UInt64 = 0
  var holderPriority: UInt8 = 0
  var isRead = false

  /// Whether a holder is known that has a lower priority; the holder must not have come to H1.
  mutating func holderIsBelow(_ priority: UInt8) -> Bool {
    guard holder != 0, priority > holderPriority else { return false }
    holderPriority = TaskIdentity.priority(of: holder)
    return priority > holderPriority
  }
}

extension TaskWaiterQueue {
  // MARK: For the primitive, in `withList`

  /// Records the holder, which must not come to `changeHolder` before the caller has released the list's lock.
  ///
  /// - Returns: Whether a waiter has a higher priority; if so, the caller must call `lend`.
  package func setHolder(_ holder: UInt64, _ list: inout TaskWaiterList) -> Bool {
    unsafe loan = PriorityLoan(holder: holder)
    return unsafe loan.holderIsBelow(list.highestPriority())
  }

  /// Records that a waiter has joined the list (P1).
  ///
  /// - Parameter holder: The task that it waits for, if that has not been recorded.
  package func willLend(_ waiter: TaskWaiter, to holder: UInt64? = nil) {
    if let holder, unsafe holder != loan.holder { unsafe loan = PriorityLoan(holder: holder) }
    waiter.lendsPriority = unsafe loan.holderIsBelow(waiter.priority)
  }

  /// Records that there is another holder, or none if it is 0 (H1).
  ///
  /// - Parameter priority: The holder has at least this priority.
  /// - Returns: Whether the task that was the holder must call `waitForLending`.
  package func changeHolder(to holder: UInt64, priority: UInt8 = 0) -> Bool {
    defer { unsafe loan = PriorityLoan(holder: holder, holderPriority: priority) }
    return unsafe loan.isRead
  }

  // MARK: Lending, under no lock

  /// Raises the holder's priority to the highest one of the waiters.
  package func lend() {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    lend { TaskIdentity.escalate($0, to: $1) }
  }

  /// Calls `escalate` with the holder and the highest priority of the waiters, if the holder has a lower one.
  func lend(_ escalate: (_ holder: UInt64, _ priority: UInt8) -> Void) {
    lending.withLock {  // L1
      let due = withList { list -> (holder: UInt64, priority: UInt8)? in  // L2
        let priority = unsafe loan.holder == 0 ? 0 : list.highestPriority()
        guard unsafe loan.holderIsBelow(priority) else { return nil }
        unsafe loan.isRead = true
        return unsafe (loan.holder, priority)
      }
      if let due { escalate(due.holder, due.priority) }  // L3
    }
  }

  /// Waits until the calling task, which was the holder, is not being escalated (H2).
  package func waitForLending() {
    lending.withLock {}
  }

  /// Records that the calling task, which was the holder, is it no more (H1, H2).
  package func endHolding() {
    if withList({ _ in changeHolder(to: 0) }) { waitForLending() }
  }

  // MARK: The waiter

  /// Runs `wait`, in which the waiter's task waits, and lends the task's priority to the holder meanwhile, if the
  /// waiter was made with a priority.
  ///
  /// Inlined, because it costs a tenth of a hand-over as a call.
  @inline(always)
  func lendingPriority<R>(
    of waiter: TaskWaiter, isolation: isolated (any Actor)? = #isolation,
    onMovingForward handOn: (@Sendable () -> Void)?, _ wait: () async -> R
  ) async -> R {
    guard waiter.firstPriority != 0, #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
      return await wait()
    }
    if waiter.lendsPriority { lend() }  // P2
    return await withTaskPriorityEscalationHandler {  // P3
      _ = isolation
      let priority = TaskIdentity.currentPriority
      if priority > waiter.firstPriority, raise(waiter, to: priority) {  // P4
        lend()
        handOn?()
      }
      return await wait()
    } onPriorityEscalated: { _, priority in
      guard self.raise(waiter, to: priority.rawValue) else { return }  // P5
      TaskIdentity.afterEscalation {
        self.lend()
        handOn?()
      }
    }
  }

  /// Raises the priority of a waiter; returns whether it is in the list, and had a lower one.
  private func raise(_ waiter: TaskWaiter, to priority: UInt8) -> Bool {
    withList { $0.raise(waiter, to: priority, reordering: ordersByPriority) }
  }
}
