public import LockSupport
public import TaskWaiters

/// A counting semaphore for tasks.
///
/// # Why
/// A semaphore for threads blocks a thread of the pool, which may be the one that must run the task with the
/// permit. This semaphore suspends waiting tasks instead.
///
/// # State
/// One word, and a list of waiting tasks behind a lock of its own.
///
///     0…2^63-1      the free permits; no task waits
///     2^63          `waiting`: no permit is free, and tasks may be in the list
///
/// # Invariants
/// 1. The free permits, those that tasks hold, and those that were handed to a task that has yet to run, are
///    together as many as the semaphore was made with.
/// 2. The word becomes `waiting`, and changes from `waiting`, only under the lock of the list.
/// 3. A task joins the list only while the word is `waiting`. So a permit that is returned goes to the first
///    task in the list.
/// 4. A task that gives up leaves the list and does not change the word. So the word may be `waiting` while
///    the list is empty. The next returned permit makes it 1.
/// 5. A task that was taken from the list for a hand-over has a permit, even if it is cancelled before it
///    runs.
///
/// # Memory ordering
/// Taking a free permit acquires and returning one releases. Between them are only read-modify-writes, which
/// continue the release sequence: the plain stores replace `waiting`, when no permit is free. A hand-over is
/// ordered by `TaskWaiter.wake`, which releases, and by the load of the task that gets the permit, which
/// acquires. The change to `waiting` is relaxed.
///
/// # Fairness
/// First in, first out: a returned permit is handed to the task that has waited for longest, although the
/// pool may run that task late. Priorities play no part.
///
/// # Deadlocks it permits
/// Tasks that hold permits and wait for more, for instance in nested calls. A section that waits for a task,
/// while that task waits for a permit.
@usableFromInline
@frozen
struct AsyncSemaphoreCore: ~Copyable, Sendable {
  @usableFromInline
  let word: AtomicWord

  @usableFromInline
  let waiters: TaskWaiterQueue

  @usableFromInline
  init(permits: Int) {
    word = AtomicWord(UInt64(permits))
    waiters = TaskWaiterQueue()
  }

  // MARK: State

  @_alwaysEmitIntoClient
  @_transparent
  static var waiting: UInt64 { 1 << 63 }

  @_alwaysEmitIntoClient
  @_transparent
  static func hasFreePermit(_ state: UInt64) -> Bool { state &- 1 < waiting &- 1 }

  // MARK: Fast paths

  /// Takes a free permit; returns whether there was one.
  @_alwaysEmitIntoClient
  @inline(__always)
  borrowing func tryAcquire() -> Bool {
    var state = word.load(.relaxed)
    while Self.hasFreePermit(state) {
      let (exchanged, original) = word.compareExchange(expected: state, desired: state &- 1, .acquiring)
      if exchanged { return true }
      state = original
    }
    return false
  }

  /// Returns a permit.
  @_alwaysEmitIntoClient
  @inline(__always)
  borrowing func release() {
    if _slowPath(!releaseWithoutWaiters()) { releaseSlow() }
  }

  /// Returns a permit if no task waits for one.
  ///
  /// - Returns: Whether the permit was returned; if not, tasks may wait, and the caller still has the permit.
  @_alwaysEmitIntoClient
  @inline(__always)
  borrowing func releaseWithoutWaiters() -> Bool {
    var state = word.load(.relaxed)
    while state != Self.waiting {
      let (exchanged, original) = word.compareExchange(expected: state, desired: state &+ 1, .releasing)
      if exchanged { return true }
      state = original
    }
    return false
  }

  // MARK: Slow paths

  /// Takes a permit, and suspends the task while none is free.
  ///
  /// Cancellation does not end the wait.
  @usableFromInline
  @inline(never)
  nonisolated(nonsending) borrowing func acquireSlow(_ primitive: Primitive) async {
    let waiter = TaskWaiter()
    // The wait must be recorded before the task joins the list, because from then on another task can hand
    // over a permit.
    var wait = RecordedWait(for: word.key, primitive, task: TaskIdentity.current)
    _ = wait.willSleep()
    if acquireOrJoin(waiter) { return }
    await waiters.wait(waiter)
  }

  /// Takes a permit, unless the task is cancelled or the deadline passes while the task waits.
  ///
  /// Returns whether the task has a permit.
  @usableFromInline
  @inline(never)
  nonisolated(nonsending) borrowing func acquireSlow(
    unlessCancelledUntil deadline: Deadline, _ primitive: Primitive
  ) async -> Bool {
    let waiter = TaskWaiter()
    // The wait must be recorded before the task joins the list, because from then on another task can hand
    // over a permit.
    var wait = RecordedWait(for: word.key, primitive, task: TaskIdentity.current)
    _ = wait.willSleep()
    if acquireOrJoin(waiter) { return true }
    return await waiters.wait(waiter, unlessCancelledUntil: deadline) == .served
  }

  @usableFromInline
  @inline(never)
  borrowing func releaseSlow() {
    guard let next = releaseForNext() else { return }
    WaitHooks.didRelease(word.key)
    next.resume()
  }

  // MARK: The state machine

  /// Takes a free permit if there is one; otherwise puts the waiter into the list.
  ///
  /// - Returns: Whether a permit was taken.
  borrowing func acquireOrJoin(_ waiter: TaskWaiter) -> Bool {
    waiters.withList { list in
      while true {
        if tryAcquire() { return true }
        let isWaiting =
          word.load(.relaxed) == Self.waiting
          || word.compareExchange(expected: 0, desired: Self.waiting, .relaxed).exchanged
        guard isWaiting else { continue }
        list.append(waiter)
        return false
      }
    }
  }

  /// Returns a permit while the word is `waiting`: hands it to the first waiter, or makes it free.
  ///
  /// - Returns: The task that now has the permit, which the caller must resume; `nil` if the permit is now
  ///   free.
  borrowing func releaseForNext() -> TaskWaiter? {
    waiters.withList { list in
      // Another task may have returned its permit first, so that the word is no longer `waiting`.
      if releaseWithoutWaiters() { return nil }
      guard let next = list.removeFirst() else {
        word.store(1, .releasing)
        return nil
      }
      if list.isEmpty { word.store(0, .relaxed) }
      return next
    }
  }
}
