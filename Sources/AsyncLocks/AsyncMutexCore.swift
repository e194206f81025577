public import DeadlockDetector
public import LockSupport
public import TaskWaiters
internal import ThreadSupport

/// A mutual-exclusion lock for tasks.
///
/// # Why
/// A lock for threads can't be held across an `await`: the task may resume on another thread, and a blocked
/// thread of the pool may be the one that must run the owner. This lock suspends waiting tasks instead.
///
/// # State
/// One word, and a list of waiting tasks behind a lock of its own.
///
///     0             no task holds the lock
///     bits 4…63     the owner's `TaskIdentity`
///     bit  0        waiters: tasks may be in the list
///
/// # Invariants
/// 1. A task holds the lock if and only if the word has its number. Only the owner gives the lock away: it
///    makes the word 0, or puts the number of the next task there.
/// 2. `waiters` changes only under the lock of the list. While it is set, the word changes only there.
/// 3. A task joins the list only while `waiters` is set in the word of another owner. So the owner finds the
///    task: its unlock fails to exchange the word, and looks at the list.
/// 4. A task that gives up leaves the list and does not change the word. So `waiters` may be set while the
///    list is empty. The next unlock clears it.
/// 5. A task that was taken from the list for a hand-over owns the lock, even if it is cancelled before it
///    runs.
///
/// # Memory ordering
/// The compare-exchange that takes the free lock acquires. Each change to 0 releases. A hand-over is ordered
/// by `TaskWaiter.wake`, which releases, and by the next owner's load, which acquires. Setting `waiters` and
/// storing the next owner are relaxed: the list's lock orders their uses, and a task compares the number only
/// with its own.
///
/// # Fairness
/// First in, first out: the lock is handed to the task that has waited for longest. Nothing else can take it
/// meanwhile, although the pool may run that task late. A queue of *n* waiting tasks therefore costs *n*
/// switches of tasks. Priorities play no part: a task of high priority waits behind those of low priority,
/// which are not escalated.
///
/// # Deadlocks it permits
/// Tasks that lock two mutexes in opposite orders. A section that waits for a task, while that task waits
/// for the lock: a child of the owner, for instance. Recursion of the owner itself traps.
@usableFromInline
@frozen
struct AsyncMutexCore: ~Copyable, Sendable {
  @usableFromInline
  let word: AtomicWord

  @usableFromInline
  let waiters: TaskWaiterQueue

  @usableFromInline
  init() {
    word = AtomicWord()
    waiters = TaskWaiterQueue()
  }

  // MARK: State

  private static var hasWaiters: UInt64 { 1 }

  private static func owner(_ state: UInt64) -> UInt64 { state & ~TaskIdentity.freeBits }

  // MARK: Fast paths

  @_alwaysEmitIntoClient
  @_transparent
  borrowing func tryLock(_ task: UInt64) -> Bool {
    word.compareExchange(expected: 0, desired: task, .acquiring).exchanged
  }

  @_alwaysEmitIntoClient
  @_transparent
  borrowing func unlock(_ task: UInt64) {
    if _slowPath(!word.compareExchange(expected: task, desired: 0, .releasing).exchanged) { unlockSlow() }
  }

  // MARK: Slow paths

  /// Acquires the lock, and suspends the task while another task holds it.
  ///
  /// Cancellation does not end the wait.
  @usableFromInline
  @inline(never)
  nonisolated(nonsending) borrowing func lockSlow(
    _ task: UInt64, _ primitive: Primitive, _ node: borrowing LockNode
  ) async {
    let waiter = TaskWaiter(task: task)
    var wait = recordedWait(of: task, primitive)
    _ = wait.willSleep()
    if lockOrJoin(waiter, primitive) { return }
    // The deadlock report is written on a thread of its own. On the timer's thread it would delay all other
    // deadlines.
    let report = node.taskWillSleep().map { wait in
      DeadlineTimer.Entry(wait.deadline) { PlatformThread(wait.report).detach() }
    }
    if let report { DeadlineTimer.shared.schedule(report) }
    await waiters.wait(waiter)
    if let report { DeadlineTimer.shared.cancel(report) }
    node.taskDidWake()
  }

  /// Acquires the lock, unless the task is cancelled or the deadline passes while the task waits.
  ///
  /// Returns whether the task holds the lock.
  @usableFromInline
  @inline(never)
  nonisolated(nonsending) borrowing func lockSlow(
    _ task: UInt64, unlessCancelledUntil deadline: Deadline, _ primitive: Primitive
  ) async -> Bool {
    let waiter = TaskWaiter(task: task)
    var wait = recordedWait(of: task, primitive)
    _ = wait.willSleep()
    if lockOrJoin(waiter, primitive) { return true }
    return await waiters.wait(waiter, unlessCancelledUntil: deadline) == .served
  }

  @usableFromInline
  @inline(never)
  borrowing func unlockSlow() {
    guard let next = unlockForNext() else { return }
    WaitHooks.didRelease(word.key)
    next.resume()
  }

  /// Begins a wait, of the task with the `TaskIdentity` `task`, that a contention profile can record.
  ///
  /// The caller must call `willSleep()` on the result before the task joins the list, so that the wait is
  /// recorded before another task can hand over the lock.
  private borrowing func recordedWait(of task: UInt64, _ primitive: Primitive) -> RecordedWait {
    RecordedWait(
      for: word.key, primitive, task: task,
      heldBy: { key in borrow(AsyncMutexCore.self, at: key) { Self.owner($0.word.load(.relaxed)) } })
  }

  // MARK: The state machine

  /// Takes the lock if it is free; otherwise puts the waiter into the list.
  ///
  /// Traps if the waiter's task already holds the lock.
  ///
  /// - Returns: Whether the lock was taken.
  borrowing func lockOrJoin(_ waiter: TaskWaiter, _ primitive: Primitive) -> Bool {
    // A relaxed load suffices: the word has the calling task's number only while that task holds the lock,
    // and then no other thread can change that.
    if Self.owner(word.load(.relaxed)) == waiter.task { Self.trapRecursion(primitive) }
    return waiters.withList { list in
      var state = word.load(.relaxed)
      while true {
        if state == 0 {
          let (exchanged, original) = word.compareExchange(expected: 0, desired: waiter.task, .acquiring)
          if exchanged { return true }
          state = original
        } else if state & Self.hasWaiters == 0 {
          let desired = state | Self.hasWaiters
          let (exchanged, original) = word.compareExchange(expected: state, desired: desired, .relaxed)
          state = exchanged ? desired : original
        } else {
          list.append(waiter)
          return false
        }
      }
    }
  }

  /// Hands the lock to the first waiter; makes it free if the list of waiters is empty.
  ///
  /// The calling task must hold the lock, and `waiters` must be set in the word.
  ///
  /// - Returns: The next owner, which the caller must resume; `nil` if the lock is now free.
  borrowing func unlockForNext() -> TaskWaiter? {
    waiters.withList { list in
      guard let next = list.removeFirst() else {
        word.store(0, .releasing)
        return nil
      }
      word.store(list.isEmpty ? next.task : next.task | Self.hasWaiters, .relaxed)
      return next
    }
  }

  @inline(never)
  private static func trapRecursion(_ primitive: Primitive) -> Never {
    misuse(
      primitive, "locked by the task that already holds it",
      "take it once, and call what needs it from outside the section")
  }
}
