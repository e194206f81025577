internal import InterlockCore
internal import InterlockWaits

/// Represents an iterator of a protector's values, or a wait for several values, in the protector's wait queue.
///
/// # Algorithm
/// The observer's waiter has a predicate that always holds. So the next write section that ends serves the
/// waiter, which removes it from the queue, and notifies it after the unlock. After that, later write
/// sections find no waiter of this observer. The notification means that the iterator's last value may be out
/// of date. The iterator joins the queue again in the write section in which it reads the next value, so it
/// misses no change.
///
/// # Lifetime
/// An iterator may end after its waiter was served and before the waiter is notified. So the queue owns the
/// observer: `join` retains it, and the thread that takes the waiter from the queue releases it in
/// `Waiter.notify`, outside of sections. The observer refers to no object of a user, so releasing it runs no
/// user code. The iterator owns the protector, and calls `leave` before it releases the protector. The caller of a
/// wait for several values keeps its protectors alive, and does the same.
///
/// # Ends of a wait
/// `JointWait` has those of a wait for several values. An iterator's task is resumed by the thread that takes the
/// waiter from the queue. This is the writer that serves the waiter, or a thread that calls `leave` in a
/// cancellation handler. If a writer is evaluating the predicate when `leave` is called, the writer serves the
/// waiter. The runtime runs the handler only during `isServedAfterSuspension`, and so never before `join`.
// `@unchecked Sendable` is sound: the header of `WaitQueue` says which thread may change the waiter, and the
// rest is constant. `@safe`: the waiter is freed by `deinit`, when neither the queue nor an iterator refers
// to the observer.
@safe
@usableFromInline
class ValueObserver: TaskWait, @unchecked Sendable {
  init(queue: UInt, _ primitive: Primitive) {
    // Sound: the predicate ignores its address.
    unsafe super.init(
      queue: queue, .reader, group: nil, primitive: primitive, until: .never,
      predicate: UnsafeRawPointer(bitPattern: queue)!, evaluation: { _, _ in true })
    unsafe waiter.pointee.observer = .passUnretained(self)
  }

  /// Puts the waiter into the queue.
  ///
  /// The waiter must be in no queue. The caller must be in a write section, the one in which the iterator
  /// reads its value.
  @usableFromInline
  final func join() {
    _ = unsafe Unmanaged.passRetained(self)
    borrow(WaitQueue.self, at: queue) { unsafe $0.queueAgain(waiter) }
  }

  /// Removes the waiter from the queue and notifies it.
  ///
  /// If the waiter has already left the queue, this does nothing. If a writer is evaluating the waiter's
  /// predicate, the writer removes and notifies the waiter. The protector must still exist.
  final func leave() {
    willWait()
    giveUp()
  }

  /// Called outside of sections by the thread that has taken the waiter from the queue.
  func notify() { task.resume() }
}
