public import LockSupport
internal import TaskWaiters
internal import UnfairLocks

/// One call in which a task waits for a predicate: its place in the queue, and who may end the wait.
///
/// The task appends `waiter` in a write section, and then suspends itself without a lock. It is resumed once for
/// each suspension, by one of these:
/// - the thread that has served the waiter, or has found its predicate false while the task was giving up;
/// - `giveUp`, if it has removed the waiter from the queue.
///
/// `giveUp` runs in a cancellation handler or on the timer's thread, perhaps after the task has gone on, so it
/// uses the queue only before `end`. `lock` excludes the one from the other; the queue's `gate` is acquired inside.
/// No continuation is resumed under a lock. A task that gives up between two suspensions finds `givesUp` set, and
/// gives up again before it suspends.
// `@unchecked Sendable` is sound: `lock` guards the variables, and `WaitQueue` says who may change the waiter.
// `@safe`: the waiter is freed by `deinit`, and the task calls `end` before the predicate and the queue end.
@safe
@usableFromInline
final class TaskWait: @unchecked Sendable {
  @usableFromInline
  let waiter: UnsafeMutablePointer<Waiter>
  private let task = TaskWaiter()
  private let queue: UInt
  private let lock = UnfairLock()
  @exclusivity(unchecked)
  private nonisolated(unsafe) var givesUp = false
  @exclusivity(unchecked)
  private nonisolated(unsafe) var hasEnded = false
  /// The timer's entry, which only the task uses, and which refers to this object until `end`.
  @exclusivity(unchecked)
  private nonisolated(unsafe) var entry: DeadlineTimer.Entry?

  /// Makes a waiter, which is in no queue yet.
  ///
  /// `end()` must follow before the predicate or the queue ends.
  @usableFromInline
  init(
    queue: UInt, primitive: Primitive, predicate: UnsafeRawPointer, until deadline: Deadline,
    evaluation: @escaping Waiter.Evaluation
  ) {
    self.queue = queue
    unsafe waiter = .allocate(capacity: 1)
    unsafe waiter.initialize(
      to: Waiter(task: task, primitive: primitive, predicate: predicate, evaluation: evaluation))
    guard deadline != .never else { return }
    let entry = DeadlineTimer.Entry(deadline) { self.giveUp() }
    unsafe self.entry = entry
    DeadlineTimer.shared.schedule(entry)
  }

  deinit {
    unsafe waiter.deinitialize(count: 1)
    unsafe waiter.deallocate()
  }

  /// Whether the task shall not wait again.
  @usableFromInline
  var isOver: Bool { lock.withLock { unsafe givesUp } || Task.isCancelled }

  /// Suspends the task, whose waiter is in the queue, until it is served or gives up.
  ///
  /// - Returns: Whether it was served. If so, its waiter is still in the queue; otherwise it is not.
  @usableFromInline
  nonisolated(nonsending) func isServedAfterWaiting() async -> Bool {
    if lock.withLock({ unsafe givesUp }) { giveUp() }
    await withTaskCancellationHandler {
      await task.waitUntilResumed()
    } onCancel: {
      giveUp()
    }
    _ = task.outcomeAfterWaiting
    // Sound: no other thread changes the waiter after it has resumed the task, which `outcomeAfterWaiting` sees.
    return unsafe waiter.pointee.isServed
  }

  /// Takes the waiter of the served task from the queue, outside of sections.
  @usableFromInline
  func leave() {
    borrow(WaitQueue.self, at: queue) { unsafe $0.removeServedTask(waiter) }
  }

  /// Ends the wait, unless the task was served or is about to be.
  private func giveUp() {
    let isRemoved = lock.withLock {
      unsafe givesUp = true
      // Sound: the queue is there before `end`.
      return unsafe !hasEnded && borrow(WaitQueue.self, at: queue) { unsafe $0.removeTask(waiter) }
    }
    if isRemoved { task.resume() }
  }

  /// Ends the call: after this, only `deinit` uses the waiter.
  @usableFromInline
  func end() {
    if let entry = unsafe entry.take() { DeadlineTimer.shared.cancel(entry) }
    lock.withLock { unsafe hasEnded = true }
  }
}
