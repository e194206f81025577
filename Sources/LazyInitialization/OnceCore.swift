public import InterlockCore
internal import InterlockTasks
internal import InterlockWaits

/// The algorithm of `Once`, `OnceCell` and `Lazy`: which thread or task runs the body, and how others wait.
///
/// # Why
/// `swift_once`, behind `static let`, costs a function call even after the work is done. It can't be retried
/// after an error, and needs a global. `lazy var` has no synchronization. This core takes four bytes, stored
/// inline. When the work is done, it costs a load and a compare. Its shape is that of the futex `Once` in
/// Rust's standard library: one word with the state and a flag for sleeping threads. This core adds two
/// things. The word also identifies the thread that runs the body, to detect recursion. After an error, a
/// waiting thread or task takes over.
///
/// # State
/// One word. The *runner* is the thread or the task that runs the body. For tasks, read
/// `beginOrJoin`, `finishTask` and `abandonTask` for `begin`, `finish` and `abandon`.
///
///     bits 0…24   the number of the running thread (its `ThreadIdentity`)
///     bit  27     `granted`: after an error, the turn was given to a task that has not continued yet
///     bit  28     `byTask`: a task runs the body
///     bit  29     `tasks`: tasks wait in the `TaskWaiterTable`, or are about to
///     bit  30     complete: a body has completed
///     bit  31     `waiters`: threads sleep on the word, or are about to
///
/// | word, beside `tasks` and `waiters` | state | next state |
/// |---|---|---|
/// | 0 | incomplete | running: `begin` adds the runner |
/// | the runner | running | complete: `finish`; granted or, without waiting tasks, incomplete: `abandon` |
/// | `granted` | granted | running: the task that was taken from the list becomes the runner, or a thread |
/// | a thread and `granted` | running | complete: `finish`; granted: `abandon`; running: the task joins again |
/// | `complete` | complete, forever | |
///
/// # Invariants
/// 1. Only the runner ends the state `running`. So at most one body runs at a time, and none after
///    `complete`.
/// 2. A thread sleeps only while the word has a runner and `waiters`. The kernel compares again before it
///    puts the thread to sleep. A task joins the list of the table only while the word has `tasks`, and a
///    runner or `granted`. It checks that under the lock of the list.
/// 3. `waiters` is set before a thread sleeps, `tasks` before a task joins, and only `finish` clears them.
///    `finish` then wakes all waiting threads and tasks.
/// 4. A task that gives up leaves the list and does not change the word. A task that was taken from the list
///    checks the word, even if it is cancelled: it becomes the runner, proceeds, or joins again at the front.
/// 5. While the word has `granted`, one task that was taken from the list has not checked the word yet, and it
///    clears the flag. If tasks are in the list, the word has a runner or `granted`: under the lock of the list,
///    `abandon` takes the first task and sets `granted`, unless the word has it.
///
/// # Why no wake-up is lost
/// Tasks: by invariant 5, a runner ends while tasks wait, or a granted task becomes the runner. `finish` takes
/// all tasks from the list after it has set `complete`, when none joins any more.
///
/// Threads: when a thread falls asleep, the word is the runner's number with `waiters`. By invariant 3 the flag
/// stays set until `finish`. That runner calls `finish` or `abandon`.
///
/// - `finish` sees `waiters` and wakes all. A thread that had not fallen asleep yet does not sleep, because
///   the word has changed.
/// - `abandon` keeps `waiters` in the incomplete word, and wakes one thread. Waits have no timeout, so that
///   thread does not give up, but checks the word again. If the word is incomplete or granted, that thread
///   becomes the runner. If the word is running, another thread was faster and is the runner. In both cases there is a
///   runner again with `waiters` in its word, and its own `finish` or `abandon` wakes the next thread. If the
///   word is complete, a later runner has called `finish`. By invariant 3 the flag was still set then, so
///   `finish` has woken all threads, and none is left asleep.
/// - If `abandon` wakes no thread, none slept. Threads that were about to sleep don't, because the word has
///   changed.
///
/// So whenever threads sleep, there is a runner that will see `waiters`, or one of them has been woken and
/// has not checked yet. A needless wake-up only makes a thread check once more.
///
/// # Memory ordering
/// `finish` releases and the fast path acquires: a thread that sees `complete` sees all that the body did.
/// `abandon` releases and `begin` acquires: the next body sees what the failed one did. Setting `waiters` is
/// a relaxed read-modify-write, so it continues the release sequence in which it occurs. A thread compares
/// the runner's number only with its own number, which needs no ordering. `tasks` is relaxed as well: a runner
/// that sees the flag finds the waiting task, because both acquire the locks of the table and of the list.
/// Replacing `granted` by a runner continues the release sequence of the runner that abandoned. On arm64, the load of the fast path is `ldapur` or `ldar`.
///
/// # Waiting
/// A thread that finds a runner spins for about as long as a sleep and a wake-up take, then sleeps. While
/// `waiters` is set, no thread spins.
///
/// # Fairness
/// After an error, the task that has waited for longest runs its initializer next, before a task that comes
/// later. Threads don't queue, and don't wait for a granted task: the system may run that task late, perhaps
/// only on the thread that would wait. So a thread that comes, or is woken after the error, may run its body
/// first. The task that was overtaken then waits at the front. Threads that retry in a loop can overtake it
/// again and again.
///
/// # Deadlocks it permits
/// A body that waits for a thread or a task that waits for the body; two bodies that run each other's
/// `Once`. Recursion on the runner's own thread, or in its own task, traps.
@usableFromInline
@frozen
struct OnceCore: ~Copyable, Sendable {
  @usableFromInline
  let state: LockWord

  @usableFromInline
  let probe: Probe

  @_alwaysEmitIntoClient
  init(isComplete: Bool = false, _ primitive: Primitive) {
    state = LockWord(isComplete ? Self.complete : 0)
    probe = Probe(primitive)
  }

  // MARK: State

  @_alwaysEmitIntoClient
  static var complete: UInt32 { 1 << 30 }

  static var waiters: UInt32 { 1 << 31 }
  static var tasks: UInt32 { 1 << 29 }
  static var byTask: UInt32 { 1 << 28 }
  static var granted: UInt32 { 1 << 27 }

  static func has(_ flag: UInt32, _ state: UInt32) -> Bool { state & flag != 0 }

  static func runner(_ state: UInt32) -> UInt32 { state & (ThreadIdentity.mask | byTask) }

  // MARK: Fast path
  // Callers must put the slow path behind `_slowPath`, so that the compiler saves registers only on that
  // path.

  /// Whether a body has completed.
  ///
  /// If it is `true`, everything that the body did is visible to the caller.
  @_alwaysEmitIntoClient
  @inline(__always)
  var isComplete: Bool { state.loadAcquiring() == Self.complete }

  // MARK: Slow path
  // The functions of the slow path are static, because a method call would make its inlined caller save one
  // more register on the fast path.

  /// Makes the caller the runner, or waits until a body has completed.
  ///
  /// - Parameters:
  ///   - core: The state of the `Once`, `OnceCell` or `Lazy`.
  ///   - kind: The type that contains the core.
  ///   - call: The words for this call in a trap, if the calling thread already is the runner.
  /// - Returns: Whether the caller is the runner, and must call `finish` or `abandon`.
  @usableFromInline
  @inline(never)
  static func begin(_ core: borrowing OnceCore, _ kind: PrimitiveKind, _ call: StaticString) -> Bool {
    core.probe.willAcquire()
    let isRunner = beginOrWait(core, core.probe.primitive(kind), call)
    if isRunner { core.probe.didAcquire() } else { core.probe.didStopWaiting() }
    return isRunner
  }

  private static let holder: HolderLookup = { key in
    borrow(OnceCore.self, at: key) { core in
      let runner = runner(core.state.loadRelaxed())
      return runner == byTask ? 0 : UInt64(runner)
    }
  }

  @inline(__always)
  private static func beginOrWait(
    _ core: borrowing OnceCore, _ primitive: Primitive, _ call: StaticString
  ) -> Bool {
    let me = ThreadIdentity.current
    var backoff = Backoff()
    var wait = Probe.Wait(for: core.state.key, primitive, heldBy: holder)
    while true {
      let state = core.state.loadAcquiring()
      if state == complete { return false }
      let runner = runner(state)
      if runner == 0 {
        // A granted task keeps its turn, for the case that this body throws.
        let desired = state | me
        if core.state.compareExchangeAcquiring(expected: state, desired: desired).exchanged { return true }
        continue
      }
      if runner == me { trapRecursion(primitive, call) }

      if !has(waiters, state), backoff.spin() { continue }
      if runner == byTask, TaskWaiterTable.isOwnedByCallingTask(core.state.key) {
        trapRecursion(primitive, call)
      }
      if wait.willSleep() { continue }
      let desired = state | waiters
      if state != desired {
        guard core.state.compareExchangeRelaxed(expected: state, desired: desired).exchanged else { continue }
      }
      core.state.wait(while: desired)
    }
  }

  static func trapRecursion(_ primitive: Primitive, _ call: StaticString) -> Never {
    misuse(primitive, "\(call)", "compute what it needs before, or split the work in two")
  }

  /// Records that the calling thread's body has completed, and wakes all waiting threads and tasks.
  @usableFromInline
  @inline(never)
  static func finish(_ core: borrowing OnceCore) {
    core.probe.willRelease()
    endRun(core)
  }

  /// Records that the calling thread's body threw, and lets a waiting thread or task run its own body.
  @usableFromInline
  @inline(never)
  static func abandon(_ core: borrowing OnceCore) {
    core.probe.willRelease()
    endRun(core, abandonedBy: ThreadIdentity.current)
  }

  /// Ends the state `running` with `complete`, and wakes all waiting threads and tasks.
  static func endRun(_ core: borrowing OnceCore) {
    let state = core.state.exchangeReleasing(complete)
    wakeThreads(core, state, count: .max)
    guard has(tasks, state), let queue = TaskWaiterTable.queue(of: core.state.key) else {
      return
    }
    for waiter in queue.takeAll() { waiter.resume() }
  }

  /// Ends the state `running` after an error: grants the turn to the first waiting task, unless one has it, and wakes
  /// one waiting thread.
  ///
  /// - Parameter runner: The bits of the runner whose body threw: its `ThreadIdentity`, or `byTask`.
  static func endRun(_ core: borrowing OnceCore, abandonedBy runner: UInt32) {
    var state = core.state.loadRelaxed()
    while !has(tasks, state) || has(granted, state) {
      let (exchanged, original) = core.state.compareExchangeReleasing(
        expected: state, desired: state - runner)
      if exchanged { return wakeThreads(core, state, count: 1) }
      state = original
    }
    let key = core.state.key
    let next = TaskWaiterTable.join(key).withList { list in
      let next = list.removeFirst()
      state = core.state.subtractReleasing(next == nil ? runner : runner &- granted)
      return next
    }
    wakeThreads(core, state, count: 1)
    next?.resume()
    TaskWaiterTable.leave(key)
  }

  private static func wakeThreads(_ core: borrowing OnceCore, _ state: UInt32, count: Int32) {
    guard has(waiters, state) else { return }
    Probe.willWake(core.state.key)
    core.state.wake(count: count)
  }
}
