public import InterlockCore
internal import InterlockWaits

/// One call in which a task waits for a predicate: its waiter in the queue, and the ways in which the wait
/// ends.
///
/// The task appends `waiter` to the queue in a write section. After the section it suspends itself, and holds
/// no lock then. It is resumed once for each suspension, by the thread that has taken the waiter from the queue:
/// - one that has served it, or has found its predicate false while the task was giving up;
/// - one that runs `giveUp`, in a cancellation handler or for the timer.
///
/// A timer may be late, and call `giveUp` after the wait. It finds that the waiter is not queued.
// `@unchecked Sendable` is sound: the header of `WaitQueue` says which thread may change the waiter, and the
// rest is constant. `@safe`: the waiter is freed by `deinit`, when neither the task nor a timer refers to this
// object.
@safe
@usableFromInline
class TaskWait: @unchecked Sendable {
  @usableFromInline
  final let waiter: UnsafeMutablePointer<Waiter>
  final let task = TaskWaiter()
  final let queue: UInt
  @usableFromInline
  final let deadline: Deadline
  /// The lists for `giveUp`, which may run after the protector's end; `nil` before `willWait`.
  // Sound: set before other threads get this object, in `willWait`.
  @exclusivity(unchecked)
  private final nonisolated(unsafe) var waiting: WaitState?

  /// Makes the state of a wait; the waiter is in no queue yet.
  ///
  /// - Parameters:
  ///   - queue: The key of the protector's `WaitQueue`.
  ///   - kind: `task` if the task waits for a write section, and otherwise `reader`.
  ///   - group: The waits for the same condition; `nil` for a closure.
  ///   - primitive: The identity of the protector's predicates, for a profile of contention.
  ///   - deadline: The time at which the task gives up; `.never` for no deadline.
  ///   - predicate: The predicate's address, which must stay valid while the waiter is in the queue.
  ///   - evaluation: Evaluates the predicate.
  @usableFromInline
  init(
    queue: UInt, _ kind: Waiter.Kind, group: WaitGroup?, primitive: Primitive, until deadline: Deadline,
    predicate: UnsafeRawPointer, evaluation: @escaping Waiter.Evaluation
  ) {
    self.queue = queue
    self.deadline = deadline
    unsafe waiter = .allocate(capacity: 1)
    unsafe waiter.initialize(
      to: Waiter(
        kind, isCancellable: true, task: task, group: group, primitive: primitive, predicate: predicate,
        evaluation: evaluation))
  }

  deinit {
    unsafe waiter.deinitialize(count: 1)
    unsafe waiter.deallocate()
  }

  /// Whether the task has given up because it was cancelled; `false` if its deadline has passed, or if its body has run.
  // Only the waiting task uses it.
  final private(set) var wasCancelled = false

  /// Whether the task, which was served in vain, must not wait again: it was cancelled, or its deadline has passed.
  final func mustGiveUp() -> Bool {
    wasCancelled = Task.isCancelled
    return wasCancelled || deadline.hasPassed
  }

  /// Suspends the task until it is served or gives up.
  ///
  /// The waiter must be in the queue.
  ///
  /// - Returns: Whether the task was served. Its waiter has left the queue in any case.
  @usableFromInline
  final func isServedAfterWaiting(isolation: isolated (any Actor)? = #isolation) async -> Bool {
    var wait = unsafe waiter.pointee.recordedWait(of: TaskIdentity.current, in: queue)
    _ = wait.willSleep()
    return await isServedAfterSuspension()
  }

  // Must not be inlined into `isServedAfterWaiting`: a contention profile reads the return address in that
  // function's frame to find the task's functions. A call with so many arguments would move the return address
  // in its caller's frame.
  @inline(never)
  final func isServedAfterSuspension(isolation: isolated (any Actor)? = #isolation) async -> Bool {
    willWait()
    let end = await task.wait(until: deadline) { self.giveUp() }
    if isServed { return true }
    wasCancelled = end == .cancelled
    return false
  }

  /// Permits `giveUp` to end the wait; the waiter must have been in the queue.
  final func willWait() {
    if unsafe waiting == nil { unsafe waiting = borrow(WaitQueue.self, at: queue) { $0.waiting } }
  }

  /// Whether the task was served in the wait that has ended.
  // Sound: the thread that resumes the task does not change the waiter afterwards, and the task has acquired its
  // earlier changes.
  final var isServed: Bool { unsafe waiter.pointee.isServed }

  /// Ends the wait, unless a writer has served the task's waiter or is evaluating its predicate.
  ///
  /// In those two cases the writer ends the wait. Any thread may call this, at any time.
  final func giveUp() {
    let reason = deadline.hasPassed ? TaskWaiter.Outcome.timedOut : .cancelled
    if unsafe waiting?.withdraw(waiter, giving: reason) == true { unsafe Waiter.notify(waiter) }
  }
}
