public import InterlockCore
public import InterlockTasks
internal import InterlockWaits

/// The algorithm of `AsyncSemaphore` and of `AsyncMutex`, which is a semaphore with one permit and an owner.
///
/// # Why
/// A lock for threads can't be held across an `await`: the task may resume on another thread, and a blocked
/// thread of the pool may be the one that must run the task with the permit. This semaphore suspends waiting
/// tasks instead.
///
/// # State
/// A word, and a list of waiting tasks behind a lock of its own. The word has a flag, and what is free:
///
///     bit 63        `waiting`: tasks may be in the list, and the free permits are kept for the first one
///     others        of a semaphore: the free permits
///                   of a mutex: 1 while it is free, and otherwise its owner, the `TaskIdentity` of a task
///
/// # Invariants
/// 1. The free permits, those that tasks hold, and those that were handed to a task that has yet to run, are
///    together as many as the semaphore was made with.
/// 2. The flag is set, and the word changes while it is set, only under the lock of the list.
/// 3. A task joins the list only while the flag is set. So permits that are returned go to the first task in
///    the list. Where tasks are in the list, the free permits are fewer than the first one needs: `grant` is
///    called whenever permits are returned, and after a task has given up.
/// 4. A task that gives up leaves the list and does not change the word. So the flag may be set while the list
///    is empty, until the next `grant` clears it.
/// 5. A task that was taken from the list for a hand-over has its permits, even if it is cancelled before it
///    runs.
/// 6. A task names itself as the owner by taking the permit, and the previous owner does when it hands over. So
///    while the flag is set, the owner can leave only under the lock of the list.
///
/// # Memory ordering
/// Taking free permits acquires and returning them releases. Between them are read-modify-writes, which continue
/// the release sequence, and stores under the lock of the list. Setting the flag acquires, too: so whoever has
/// the lock of the list later has acquired all that was returned before, and its store releases it. A hand-over
/// is ordered by `TaskWaiter.wake`, which releases, and by the load of the task that gets the permits, which
/// acquires. A task compares the owner with its own number, which needs no ordering. The owner's release is for a
/// waiter that reads the priority of that task.
///
/// # Fairness
/// Returned permits are handed to the first task in the list, or kept until there are as many as it needs. Nothing
/// else can take them meanwhile, although the pool may run that task late. A queue of *n* waiting tasks therefore
/// costs *n* switches of tasks. A task joins the list behind those of its priority, and before those of a lower one,
/// unless they were overtaken 64 times (`TaskWaiterList.insertByPriority`).
///
/// # Priorities
/// Waiting tasks lend their priorities to a mutex's owner (`PriorityLoan`). A semaphore does not know who has permits.
///
/// # Other limits
/// `AsyncQueue` has no semaphore: one critical section decides whether an item runs, waits or is dropped.
/// `withJobs` and the loops of `Jobs` have none either: no job or child task begins before its turn, so none waits.
///
/// # Deadlocks it permits
/// Tasks that hold permits and wait for more, for instance in nested calls, or that lock two mutexes in
/// opposite orders. A section that waits for a task, while that task waits for a permit: a child of the owner,
/// for instance. Recursion of a mutex's owner itself traps.
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
    waiters = TaskWaiterQueue(ordersByPriority: true)
  }

  // MARK: State

  @_alwaysEmitIntoClient
  @_transparent
  static var waiting: UInt64 { 1 << 63 }

  /// Whether no task waits, and at least `count` permits are free.
  @_alwaysEmitIntoClient
  @_transparent
  static func has(_ count: UInt64, _ state: UInt64) -> Bool { state &- count < waiting &- count }

  /// The number of a semaphore's free permits, those that are kept for a waiting task included.
  @_alwaysEmitIntoClient
  @_transparent
  static func free(_ state: UInt64) -> UInt64 { state & ~waiting }

  /// The task that holds a mutex; 0 if none does.
  static func owner(_ state: UInt64) -> UInt64 { state & ~(waiting | 1) }

  // MARK: Fast paths

  /// Takes free permits; returns whether there were as many, and no task waits.
  @_alwaysEmitIntoClient
  @inline(__always)
  borrowing func tryAcquire(_ count: UInt64) -> Bool {
    var state = word.load(.relaxed)
    while Self.has(count, state) {
      let (exchanged, original) = word.compareExchange(expected: state, desired: state &- count, .acquiring)
      if exchanged { return true }
      state = original
    }
    return false
  }

  /// Returns permits.
  @_alwaysEmitIntoClient
  @inline(__always)
  borrowing func release(_ count: UInt64) {
    if _slowPath(!releaseWithoutWaiters(count)) { releaseSlow(count) }
  }

  /// Returns permits if no task waits.
  ///
  /// - Returns: Whether they were returned; if not, tasks may wait, and the caller still has the permits.
  @_alwaysEmitIntoClient
  @inline(__always)
  borrowing func releaseWithoutWaiters(_ count: UInt64) -> Bool {
    var state = word.load(.relaxed)
    while state < Self.waiting {
      let (exchanged, original) = word.compareExchange(expected: state, desired: state &+ count, .releasing)
      if exchanged { return true }
      state = original
    }
    return false
  }

  // MARK: Fast paths of a mutex
  // It has one permit, so one compare-exchange is enough.

  @_alwaysEmitIntoClient
  @_transparent
  borrowing func tryAcquire(as task: UInt64) -> Bool {
    word.compareExchange(expected: 1, desired: task, .acquiringAndReleasing).exchanged
  }

  @_alwaysEmitIntoClient
  @_transparent
  borrowing func release(as task: UInt64) {
    if _slowPath(!releaseWithoutWaiters(as: task)) { releaseSlow(1, as: task) }
  }

  @_alwaysEmitIntoClient
  @_transparent
  borrowing func releaseWithoutWaiters(as task: UInt64) -> Bool {
    word.compareExchange(expected: task, desired: 1, .releasing).exchanged
  }

  // MARK: Slow paths

  /// Takes permits, and suspends the task while they are not free.
  ///
  /// Cancellation does not end the wait.
  ///
  /// - Parameters:
  ///   - task: The `TaskIdentity` of the calling task, if it becomes the owner of a mutex; 0 for a semaphore.
  ///   - count: The number of permits.
  ///   - handOn: Must call `handOn`; `nil` if each task needs one permit.
  @usableFromInline
  @inline(never)
  borrowing func acquireSlow(
    as task: UInt64, _ count: UInt64, _ primitive: Primitive, _ probe: borrowing Probe,
    isolation: isolated (any Actor)? = #isolation, handOn: (@Sendable () -> Void)? = nil
  ) async {
    let waiter = TaskWaiter(task: task, needing: count, priority: TaskIdentity.currentPriority)
    var wait = recordedWait(of: task, primitive)
    _ = wait.willSleep()
    if acquireOrJoin(waiter, primitive) { return }
    if task != 0 { probe.taskWillSleep() }
    await waiters.wait(waiter, onMovingForward: handOn)
    if task != 0 { probe.taskDidWake() }
  }

  /// Takes permits, unless the task is cancelled or the deadline passes while the task waits.
  ///
  /// - Parameters:
  ///   - task: As in the function above.
  ///   - count: The number of permits.
  ///   - owner: The mutex or the semaphore, for the error of a timeout.
  ///   - handOn: As in the function above.
  /// - Throws: How the wait has ended, if the task does not have the permits.
  @usableFromInline
  @inline(never)
  borrowing func acquireSlow<Owner: AnyObject>(
    as task: UInt64, _ count: UInt64, unlessCancelledUntil deadline: Deadline, _ primitive: Primitive,
    of owner: Owner, isolation: isolated (any Actor)? = #isolation,
    handOn: (@Sendable () -> Void)? = nil
  ) async throws {
    let waiter = TaskWaiter(task: task, needing: count, priority: TaskIdentity.currentPriority)
    var wait = recordedWait(of: task, primitive)
    _ = wait.willSleep()
    if acquireOrJoin(waiter, primitive) { return }
    let outcome = await waiters.wait(waiter, unlessCancelledUntil: deadline, onGivingUp: handOn)
    if outcome == .timedOut { throw TimeoutError(primitive, of: owner) }
    if outcome == .cancelled { throw CancellationError() }
  }

  @usableFromInline
  @inline(never)
  borrowing func releaseSlow(_ count: UInt64, as task: UInt64 = 0) {
    let granted = releaseForNext(count, as: task)
    if granted.nextIsBelow { waiters.lend() }
    resume(granted)
    if granted.isBeingEscalated { waiters.waitForLending() }
  }

  /// Hands on what is free after a task has given up: it may have kept permits that the next one needs.
  ///
  /// The same holds after a task was put before others.
  borrowing func handOn() { resume(grantAgain()) }

  private borrowing func resume(_ granted: Granted) {
    guard let first = granted.first else { return }
    Probe.willWake(word.key)
    first.resume()
    for waiter in granted.others { waiter.resume() }
  }

  /// Begins a wait that a contention profile can record.
  ///
  /// The caller must call `willSleep()` on the result before the task joins the list, so that the wait is
  /// recorded before another task can hand over a permit.
  private borrowing func recordedWait(of task: UInt64, _ primitive: Primitive) -> Probe.Wait {
    task == 0
      ? Probe.Wait(for: word.key, primitive, task: TaskIdentity.current)
      : Probe.Wait(for: word.key, primitive, task: task, heldBy: Self.ownerLookup)
  }

  private static let ownerLookup: HolderLookup = { key in
    borrow(AsyncSemaphoreCore.self, at: key) { owner($0.word.load(.relaxed)) }
  }

  // MARK: The state machine

  /// The waiters that got their permits, which the caller must resume.
  struct Granted: Sendable {
    var first: TaskWaiter?
    var others: [TaskWaiter] = []
    /// Whether a waiter has a higher priority than the new owner of a mutex.
    var nextIsBelow = false
    /// Whether the previous owner must call `waitForLending`.
    var isBeingEscalated = false
  }

  /// Takes the waiter's permits if they are free and no task waits; otherwise puts the waiter into the list.
  ///
  /// Traps if the waiter's task already holds the mutex.
  ///
  /// - Returns: Whether the permits were taken.
  borrowing func acquireOrJoin(_ waiter: TaskWaiter, _ primitive: Primitive) -> Bool {
    let task = waiter.task
    if task != 0, Self.owner(word.load(.relaxed)) == task { Self.trapRecursion(primitive) }
    let step = waiters.withList { list -> Step in
      var state = word.load(.relaxed)
      while true {
        let isFree = task == 0 ? Self.has(waiter.need, state) : state == 1
        let taken = task == 0 ? state &- waiter.need : task
        let desired = isFree ? taken : state | Self.waiting
        let (exchanged, original) = word.compareExchange(expected: state, desired: desired, .acquiring)
        if exchanged {
          if isFree { return .acquired }
          list.insertByPriority(waiter)
          if task != 0 {
            waiters.willLend(waiter, to: Self.owner(state))
            return .joined
          }
          return list.firstNeed! <= Self.free(state) ? .joinedBeforeOthers : .joined
        }
        state = original
      }
    }
    if step == .joinedBeforeOthers { handOn() }
    return step == .acquired
  }

  private enum Step {
    case acquired, joined
    /// The permits that are kept for the first waiter may be enough.
    case joinedBeforeOthers
  }

  /// Returns permits while the flag is set: hands them to the first waiters, or keeps them.
  ///
  /// - Parameter task: The owner of a mutex; 0 for a semaphore.
  borrowing func releaseForNext(_ count: UInt64, as task: UInt64 = 0) -> Granted {
    waiters.withList { list in
      // Another task may have cleared the flag first.
      if task == 0 ? releaseWithoutWaiters(count) : releaseWithoutWaiters(as: task) { return Granted() }
      return grant(&list, task == 0 ? Self.free(word.load(.relaxed)) &+ count : 1)
    }
  }

  /// Gives permits of a semaphore that are kept for a task to those that are first now, or frees them.
  borrowing func grantAgain() -> Granted {
    waiters.withList { list in
      let state = word.load(.relaxed)
      return state < Self.waiting ? Granted() : grant(&list, Self.free(state))
    }
  }

  /// Gives the free permits to waiters in their order, as long as there are enough, while the flag is set.
  private borrowing func grant(_ list: inout TaskWaiterList, _ permits: UInt64) -> Granted {
    var granted = Granted()
    var free = permits
    var (owner, priority): (UInt64, UInt8) = (0, 0)
    while let need = list.firstNeed, need <= free, let waiter = list.removeFirst() {
      free &-= waiter.need
      if waiter.task != 0 { (owner, priority) = (waiter.task, waiter.priority) }
      if granted.first == nil { granted.first = waiter } else { granted.others.append(waiter) }
    }
    granted.isBeingEscalated = waiters.changeHolder(to: owner, priority: priority)
    granted.nextIsBelow = owner != 0 && priority < list.highestPriority()
    let state = free | owner
    word.store(list.isEmpty ? state : state | Self.waiting, .releasing)
    return granted
  }

  @inline(never)
  private static func trapRecursion(_ primitive: Primitive) -> Never {
    misuse(
      primitive, "locked by the task that already holds it",
      "take it once, and call what needs it from outside the section")
  }
}
