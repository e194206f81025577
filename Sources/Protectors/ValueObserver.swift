internal import LockSupport
internal import TaskWaiters

/// An iterator's place in the queue of a protector, whose values it observes.
///
/// # Algorithm
/// Its waiter has a predicate that always holds. So the next write section that ends serves the waiter, which
/// thereby leaves the queue, and notifies it after the unlock. That is what the iterator needs to know: its
/// last value may be out of date. Later write sections find nothing in the queue. The iterator joins the queue
/// again in the write section in which it reads the next value. So no change falls between the two.
///
/// # Lifetime
/// An iterator may end between the service and the notification. So the queue owns the observer: `join`
/// retains it, and the thread that takes the waiter from the queue releases it in `Waiter.notify`, outside of
/// sections. The observer refers to nothing of a user. The iterator owns the protector. It calls `leave` before
/// it releases the protector.
///
/// # Ends of a wait
/// The task is resumed by the thread that takes the waiter from the queue: the writer that has served it, or
/// `leave` in a cancellation handler. A writer that is evaluating the predicate meanwhile serves the waiter. The
/// handler runs only in `waitForChange`, which the runtime sees to, and so not before `join`.
// `@unchecked Sendable` is sound: the header of `WaitQueue` says which thread may change the waiter, and the
// rest is constant. `@safe`: the waiter is freed by `deinit`, when neither the queue nor an iterator refers
// to the observer.
@safe
@usableFromInline
final class ValueObserver: @unchecked Sendable {
  private let waiter: UnsafeMutablePointer<Waiter>
  let task = TaskWaiter()
  private let queue: UInt

  init(queue: UInt, _ primitive: Primitive) {
    self.queue = queue
    unsafe waiter = .allocate(capacity: 1)
    unsafe waiter.initialize(
      to: Waiter(task: task, observer: self, primitive: primitive, predicate: waiter) { _, _ in true })
  }

  deinit {
    unsafe waiter.deinitialize(count: 1)
    unsafe waiter.deallocate()
  }

  /// Puts the waiter into the queue.
  ///
  /// The waiter must be in no queue, and the task must be in a write section.
  @usableFromInline
  func join() {
    _ = unsafe Unmanaged.passRetained(self)
    borrow(WaitQueue.self, at: queue) { unsafe $0.waitOn(waiter) }
  }

  /// Suspends the task until the waiter has left the queue: after a change, or because the task is cancelled.
  ///
  /// `join` must have put the waiter into the queue.
  ///
  /// - Parameter isolation: The caller's actor, which the closure needs: otherwise it would run on the pool.
  func waitForChange(isolation: isolated (any Actor)? = #isolation) async {
    await withTaskCancellationHandler {
      _ = isolation
      await task.waitUntilResumed()
    } onCancel: {
      leave()
    }
    // Acquires what the notifying thread did before.
    _ = task.outcomeAfterWaiting
  }

  /// Takes the waiter from the queue, unless a writer has done it or is about to.
  ///
  /// The protector must exist.
  func leave() {
    if borrow(WaitQueue.self, at: queue, { unsafe $0.removeTask(waiter) }) { unsafe Waiter.notify(waiter) }
  }
}
