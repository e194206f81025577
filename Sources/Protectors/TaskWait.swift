public import LockSupport
internal import TaskWaiters
internal import UnfairLocks

/// One call in which a task waits for a predicate: its waiter in the queue, and the ways in which the wait
/// ends.
///
/// The task appends `waiter` to the queue in a write section. After the section it suspends itself, and holds
/// no lock then. It is resumed once for each suspension, by one of these:
/// - the thread that has served the waiter, or has found its predicate false while the task was giving up;
/// - `giveUp`, if it has removed the waiter from the queue.
///
/// `giveUp` runs in a cancellation handler or on the timer's thread, perhaps before the task has joined the
/// queue, or after the call. So it uses the queue only while `isWaiting` is `true`: from the end of the
/// section in which the task has joined, until the task is resumed. `lock` guards `isWaiting` and `givesUp`.
/// `giveUp` holds `lock` while it acquires the queue's lock. If `giveUp` is called while `isWaiting` is
/// `false`, it only sets `givesUp`, and the task gives up before it suspends. No continuation is resumed
/// under a lock.
// `@unchecked Sendable` is sound: `lock` guards the variables, and the header of `WaitQueue` says which
// thread may change the waiter. `@safe`: the waiter is freed by `deinit`, and no other thread uses it after
// the task's last wait.
@safe
@usableFromInline
final class TaskWait: @unchecked Sendable {
  @usableFromInline
  let waiter: UnsafeMutablePointer<Waiter>
  let task = TaskWaiter()
  private let queue: UInt
  private let lock = UnfairLock()
  @exclusivity(unchecked)
  private nonisolated(unsafe) var givesUp = false
  @exclusivity(unchecked)
  private nonisolated(unsafe) var isWaiting = false
  /// The timer's entry, which only the task may use; `nil` without a deadline.
  ///
  /// The entry refers to this object until `end` is called.
  @exclusivity(unchecked)
  private nonisolated(unsafe) var entry: DeadlineTimer.Entry?

  /// Makes the state of a wait; the waiter is in no queue yet.
  ///
  /// The caller must call `end()` after the wait. Until then the timer keeps this object alive if there is a
  /// deadline.
  ///
  /// - Parameters:
  ///   - queue: The key of the protector's `WaitQueue`.
  ///   - primitive: The identity of the protector's predicates, for a profile of contention.
  ///   - predicate: The predicate's address, which must stay valid while the waiter is in the queue.
  ///   - deadline: The time at which the task gives up; `.never` for no deadline.
  ///   - evaluation: Evaluates the predicate.
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

  /// Whether the task must not wait again, because it was cancelled or its deadline has passed.
  @usableFromInline
  var isOver: Bool { lock.withLock { unsafe givesUp } || Task.isCancelled }

  /// Suspends the task until it is served or gives up.
  ///
  /// The waiter must be in the queue.
  ///
  /// - Parameter isolation: The caller's actor. Without it the closure that suspends the task would run on
  ///   the pool.
  /// - Returns: Whether the task was served. If so, its waiter is still in the queue; otherwise it is not.
  @usableFromInline
  func isServedAfterWaiting(isolation: isolated (any Actor)? = #isolation) async -> Bool {
    var wait = unsafe waiter.pointee.recordedWait(of: TaskIdentity.current, in: queue)
    _ = wait.willSleep()
    return await isServedAfterSuspension(isolation: isolation)
  }

  // Must not be inlined into `isServedAfterWaiting`: a contention profile reads the return address in that
  // function's frame to find the task's functions. The call of `withTaskCancellationHandler` has so many
  // arguments that it would move the return address in its caller's frame.
  @inline(never)
  private func isServedAfterSuspension(isolation: isolated (any Actor)?) async -> Bool {
    beginWaiting()
    await withTaskCancellationHandler {
      _ = isolation
      await task.waitUntilResumed()
    } onCancel: {
      giveUp()
    }
    return isServedAtEnd()
  }

  /// Permits `giveUp` to use the queue, and gives up if `giveUp` was called before.
  ///
  /// The waiter must be in the queue.
  func beginWaiting() {
    let isLate = lock.withLock {
      unsafe isWaiting = true
      return unsafe givesUp
    }
    if isLate { giveUp() }
  }

  /// Ends the wait and returns whether the task was served.
  ///
  /// The task must have been resumed.
  func isServedAtEnd() -> Bool {
    _ = task.outcomeAfterWaiting
    lock.withLock { unsafe isWaiting = false }
    // Sound: the thread that resumes the task does not change the waiter afterwards. `outcomeAfterWaiting`
    // acquires its earlier changes.
    return unsafe waiter.pointee.isServed
  }

  /// Removes the served task's waiter from the queue; must be called outside sections of the protector.
  @usableFromInline
  func leave() {
    borrow(WaitQueue.self, at: queue) { unsafe $0.removeServedTask(waiter) }
  }

  /// Ends the wait, unless a writer has served the task's waiter or is evaluating its predicate.
  ///
  /// In those two cases the writer ends the wait. If the task is not waiting, it gives up before it next
  /// suspends. Any thread may call this.
  func giveUp() {
    let isRemoved = lock.withLock {
      unsafe givesUp = true
      // Sound: while `isWaiting` is `true`, the task's call keeps the protector alive, and with it the queue.
      return unsafe isWaiting && borrow(WaitQueue.self, at: queue) { unsafe $0.removeTask(waiter) }
    }
    if isRemoved { task.resume() }
  }

  /// Cancels the timer's entry, so that the timer no longer refers to this object.
  @usableFromInline
  func end() {
    if let entry = unsafe entry.take() { DeadlineTimer.shared.cancel(entry) }
  }
}
