public import InterlockCore
public import InterlockWaits

/// The algorithm of `AsyncSemaphore` and of `AsyncMutex`, which is a semaphore with one permit and an owner.
///
/// # Why
/// A lock for threads can't be held across an `await`: the task may resume on another thread, and a blocked
/// thread of the pool may be the one that must run the task with the permit. This semaphore suspends waiting
/// tasks instead.
///
/// # State
/// A word, the owner, and a list of waiting tasks behind a lock of its own. The word has the number of free
/// permits, and a flag:
///
///     bit 63        `waiting`: tasks may be in the list, and the free permits are kept for the first one
///     others        the free permits
///
/// `owner` is the `TaskIdentity` of the task that holds a mutex; 0 while none does, and for semaphores.
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
/// 6. `owner` is a task's number only while that task has the permit: the task stores it after it took the
///    permit, or the previous owner does when it hands over, and the task stores 0 before it returns the permit.
///
/// # Memory ordering
/// Taking free permits acquires and returning them releases. Between them are read-modify-writes, which continue
/// the release sequence, and stores under the lock of the list. Setting the flag acquires, too: so whoever has
/// the lock of the list later has acquired all that was returned before, and its store releases it. A hand-over
/// is ordered by `TaskWaiter.wake`, which releases, and by the load of the task that gets the permits, which
/// acquires. `owner` is relaxed: a task compares it only with its own number.
///
/// # Fairness
/// First in, first out: returned permits are handed to the task that has waited for longest, or kept until there
/// are as many as it needs. Nothing else can take them meanwhile, although the pool may run that task late. A
/// queue of *n* waiting tasks therefore costs *n* switches of tasks. Priorities play no part: a task of high
/// priority waits behind those of low priority, which are not escalated.
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
  let owner: AtomicWord

  @usableFromInline
  let waiters: TaskWaiterQueue

  @usableFromInline
  init(permits: Int) {
    word = AtomicWord(UInt64(permits))
    owner = AtomicWord()
    waiters = TaskWaiterQueue()
  }

  // MARK: State

  @_alwaysEmitIntoClient
  @_transparent
  static var waiting: UInt64 { 1 << 63 }

  /// Whether no task waits, and at least `count` permits are free.
  @_alwaysEmitIntoClient
  @_transparent
  static func has(_ count: UInt64, _ state: UInt64) -> Bool { state &- count < waiting &- count }

  /// The number of free permits, those that are kept for a waiting task included.
  @_alwaysEmitIntoClient
  @_transparent
  static func free(_ state: UInt64) -> UInt64 { state & ~waiting }

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
    guard word.compareExchange(expected: 1, desired: 0, .acquiring).exchanged else { return false }
    owner.store(task, .relaxed)
    return true
  }

  @_alwaysEmitIntoClient
  @_transparent
  borrowing func releaseAsOwner() {
    if _slowPath(!releaseAsOwnerWithoutWaiters()) { releaseSlow(1) }
  }

  @_alwaysEmitIntoClient
  @_transparent
  borrowing func releaseAsOwnerWithoutWaiters() -> Bool {
    owner.store(0, .relaxed)
    return word.compareExchange(expected: 0, desired: 1, .releasing).exchanged
  }

  // MARK: Slow paths

  /// Takes permits, and suspends the task while they are not free.
  ///
  /// Cancellation does not end the wait.
  ///
  /// - Parameters:
  ///   - task: The `TaskIdentity` of the calling task, if it becomes the owner of a mutex; 0 for a semaphore.
  ///   - count: The number of permits.
  @usableFromInline
  @inline(never)
  borrowing func acquireSlow(
    as task: UInt64, _ count: UInt64, _ primitive: Primitive, _ probe: borrowing Probe,
    isolation: isolated (any Actor)? = #isolation
  ) async {
    let waiter = TaskWaiter(task: task, needing: count)
    var wait = recordedWait(of: task, primitive)
    _ = wait.willSleep()
    if acquireOrJoin(waiter, primitive) { return }
    if task != 0 { probe.taskWillSleep() }
    await waiter.waitUntilResumed()
    if task != 0 { probe.taskDidWake() }
  }

  /// Takes permits, unless the task is cancelled or the deadline passes while the task waits.
  ///
  /// - Parameters:
  ///   - task: As in the function above.
  ///   - count: The number of permits.
  ///   - owner: The mutex or the semaphore, for the error of a timeout.
  ///   - handOn: Must call `handOn`; `nil` if each task needs one permit.
  /// - Throws: How the wait has ended, if the task does not have the permits.
  @usableFromInline
  @inline(never)
  borrowing func acquireSlow<Owner: AnyObject>(
    as task: UInt64, _ count: UInt64, unlessCancelledUntil deadline: Deadline, _ primitive: Primitive,
    of owner: Owner, isolation: isolated (any Actor)? = #isolation,
    handOn: (@Sendable () -> Void)? = nil
  ) async throws {
    let waiter = TaskWaiter(task: task, needing: count)
    var wait = recordedWait(of: task, primitive)
    _ = wait.willSleep()
    if acquireOrJoin(waiter, primitive) { return }
    let outcome = await waiters.wait(waiter, unlessCancelledUntil: deadline, onGivingUp: handOn)
    if outcome == .timedOut { throw TimeoutError(primitive, of: owner) }
    if outcome == .cancelled { throw CancellationError() }
  }

  @usableFromInline
  @inline(never)
  borrowing func releaseSlow(_ count: UInt64) {
    resume(releaseForNext(count))
  }

  /// Hands on what is free after a task has given up: it may have kept permits that the next one needs.
  borrowing func handOn() { resume(grantAfterGivingUp()) }

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
    borrow(AsyncSemaphoreCore.self, at: key) { $0.owner.load(.relaxed) }
  }

  // MARK: The state machine

  /// The waiters that got their permits, which the caller must resume.
  struct Granted: Sendable {
    var first: TaskWaiter?
    var others: [TaskWaiter] = []
  }

  /// Takes the waiter's permits if they are free and no task waits; otherwise puts the waiter into the list.
  ///
  /// Traps if the waiter's task already holds the mutex.
  ///
  /// - Returns: Whether the permits were taken.
  borrowing func acquireOrJoin(_ waiter: TaskWaiter, _ primitive: Primitive) -> Bool {
    if waiter.task != 0, owner.load(.relaxed) == waiter.task { Self.trapRecursion(primitive) }
    return waiters.withList { list in
      var state = word.load(.relaxed)
      while true {
        let isFree = Self.has(waiter.need, state)
        let desired = isFree ? state &- waiter.need : state | Self.waiting
        let (exchanged, original) = word.compareExchange(expected: state, desired: desired, .acquiring)
        if exchanged {
          if isFree { owner.store(waiter.task, .relaxed) } else { list.append(waiter) }
          return isFree
        }
        state = original
      }
    }
  }

  /// Returns permits while the flag is set: hands them to the first waiters, or keeps them.
  borrowing func releaseForNext(_ count: UInt64) -> Granted {
    waiters.withList { list in
      // Another task may have cleared the flag first.
      if releaseWithoutWaiters(count) { return Granted() }
      return grant(&list, adding: count)
    }
  }

  /// Gives permits that were kept for a task which has left the list to the next ones, or frees them.
  borrowing func grantAfterGivingUp() -> Granted {
    waiters.withList { list in
      if word.load(.relaxed) < Self.waiting { return Granted() }
      return grant(&list, adding: 0)
    }
  }

  /// Gives the free permits and `count` more to waiters in their order, as long as there are enough, while the
  /// flag is set.
  private borrowing func grant(_ list: inout TaskWaiterList, adding count: UInt64) -> Granted {
    var granted = Granted()
    var free = Self.free(word.load(.relaxed)) &+ count
    while let need = list.firstNeed, need <= free, let waiter = list.removeFirst() {
      free &-= waiter.need
      owner.store(waiter.task, .relaxed)
      if granted.first == nil { granted.first = waiter } else { granted.others.append(waiter) }
    }
    word.store(list.isEmpty ? free : free | Self.waiting, .releasing)
    return granted
  }

  @inline(never)
  private static func trapRecursion(_ primitive: Primitive) -> Never {
    misuse(
      primitive, "locked by the task that already holds it",
      "take it once, and call what needs it from outside the section")
  }
}
