internal import CInterlock
package import InterlockCore

/// A waiting task as a node of a `TaskWaiterList`, or of a protector's queue; it may be resumed even before it has suspended.
///
/// # Why
/// A task can't hold a lock while it makes its continuation: the runtime may enqueue the task again there
/// (swift#85668). So the task first joins a list under the list's lock, then releases the lock, and then
/// suspends. In between, another thread may already have taken the task from the list.
///
/// # State
/// One word.
///
///     0             the task runs: it has not suspended yet
///     1             resumed: the task runs, or is about to
///     other         the bits of the continuation of the suspended task
///
/// # Invariants
/// 1. `suspend` changes 0 to the continuation, or finds 1. In that case the task resumes itself.
/// 2. `wake` exchanges the word for 1, and returns the continuation that it finds. So the continuation is
///    resumed once: by the thread that gets it from `wake`, or by the task.
/// 3. The waiter joins one list, and again only after `rearm`. Only the thread that takes the waiter from the
///    list calls `wake`, once, after it has released the list's lock.
/// 4. The waiting task owns the waiter until `wake` is called. So the links of the list need not own it.
///
/// # Memory ordering
/// `suspend` releases and `wake` acquires: the thread that resumes sees the continuation. `wake` releases and
/// the task acquires, in `suspend` or in `outcomeAfterWaiting`: the task sees what the other thread did
/// before.
@safe
@usableFromInline
package final class TaskWaiter: @unchecked Sendable {
  // `@unchecked Sendable` is sound: the word is atomic. The lock of the list guards the other variables until
  // `wake`, and then only the task uses them.

  /// How a wait ends.
  @usableFromInline
  @frozen
  package enum Outcome: Sendable {
    /// The task got what it waits for.
    case served
    case cancelled, timedOut
  }

  /// How much the task waits for: the number of permits of a semaphore.
  @usableFromInline
  package let need: UInt64
  /// The priority of the waiting task when it made the waiter, for lists that have an order by it.
  package let firstPriority: UInt8

  let word = AtomicWord()

  static var resumed: UInt64 { 1 }

  // Sound, for the variables: a dynamic exclusivity check would repeat what the list's lock ensures. A waiter in the
  // list exists by invariant 4, and a waiter leaves the list before it ends. Other modules don't see the attribute, so
  // accessors that are compiled here are in its place there.

  /// The `TaskIdentity` of the waiting task, for primitives that have an owner; 0 for others.
  @_alwaysEmitIntoClient
  package var task: UInt64 {
    get { unsafe taskStorage }
    set { unsafe taskStorage = newValue }
  }
  @exclusivity(unchecked)
  @usableFromInline
  var taskStorage: UInt64

  /// The highest priority that the waiting task is known to have.
  @_alwaysEmitIntoClient
  package var priority: UInt8 { unsafe knownPriority }
  @exclusivity(unchecked)
  @usableFromInline
  var knownPriority: UInt8

  /// Whether the waiter had a higher priority than the holder when it joined; only its task uses this.
  @_alwaysEmitIntoClient
  package var lendsPriority: Bool {
    get { unsafe willLend }
    set { unsafe willLend = newValue }
  }
  @exclusivity(unchecked)
  @usableFromInline
  var willLend = false

  /// The number of later waiters that were put before this one, because their priorities were higher.
  var overtakings: UInt8 = 0

  private var outcome = Outcome.served

  // The links of the list.
  @exclusivity(unchecked)
  var next: Unmanaged<TaskWaiter>?
  @exclusivity(unchecked)
  @usableFromInline
  var previous: Unmanaged<TaskWaiter>?

  /// Whether the waiter is in a list, whose lock the caller must hold.
  @_alwaysEmitIntoClient
  package var isQueued: Bool { unsafe previous != nil }

  static var overtakingLimit: UInt8 { 64 }

  func mayBeOvertaken(by waiter: TaskWaiter) -> Bool {
    priority < waiter.priority && overtakings < Self.overtakingLimit
  }

  package init(task: UInt64 = 0, needing need: UInt64 = 1, priority: UInt8 = 0) {
    unsafe taskStorage = task
    self.need = need
    firstPriority = priority
    unsafe knownPriority = priority
  }

  /// Sets how the wait ends.
  ///
  /// The caller must hold the lock of the list. Without this call, the outcome is `served`. A protector may call it for
  /// a waiter in its queue, which a writer may serve nevertheless: there, only `TaskWait.isServed` says that.
  package func give(_ outcome: Outcome) {
    self.outcome = outcome
  }

  // MARK: The state machine

  /// Records the continuation of the task, which is suspending.
  ///
  /// - Parameter continuation: The bits of the continuation.
  /// - Returns: Whether another thread will resume the continuation; if not, the caller must resume it.
  package func suspend(_ continuation: UInt64) -> Bool {
    word.compareExchange(expected: 0, desired: continuation, .acquiringAndReleasing).exchanged
  }

  /// Ends the wait; must be called once, after the waiter was taken from its list.
  ///
  /// - Returns: The bits of the continuation, which the caller must resume; `nil` if the task has not
  ///   suspended and resumes itself.
  package func wake() -> UInt64? {
    let continuation = word.exchange(Self.resumed, .acquiringAndReleasing)
    return continuation == 0 ? nil : continuation
  }

  /// Whether `wake` has been called: a task that finds it so need not suspend.
  package var isResumed: Bool { word.load(.acquiring) == Self.resumed }

  /// How the wait has ended.
  package var outcomeAfterWaiting: Outcome {
    _ = word.load(.acquiring)
    return outcome
  }

  /// Prepares the waiter for another wait of its task.
  ///
  /// `wake` must have been called.
  package func rearm() {
    word.store(0, .relaxed)
  }

  // MARK: Continuations

  /// Suspends the calling task until `resume` is called, which may have happened already.
  ///
  /// Cancellation does not end the wait.
  package func waitUntilResumed(isolation: isolated (any Actor)? = #isolation) async {
    ExploredThreads.current?.noteWait(for: nil, isOfTask: true)
    defer { ExploredThreads.current?.noteEndOfWait() }
    unsafe await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      // Sound: a continuation is one word, the address of the task.
      let bits = unsafe UInt64(unsafeBitCast(continuation, to: UInt.self))
      if !suspend(bits) { unsafe continuation.resume() }
    }
  }

  /// Suspends the calling task until `resume` is called, and tells when the task wants to give up.
  ///
  /// - Parameters:
  ///   - deadline: When the task wants to give up; `.never` for no deadline.
  ///   - isolation: The caller's actor, on which the wait must begin. The closure inside this function captures
  ///     the actor, because it would run on the pool otherwise.
  ///   - giveUp: Called when the deadline has passed, and when the task is cancelled, immediately if it already
  ///     is. To end the wait, it takes the waiter from its list and calls `give` and `resume`. It must not if
  ///     another thread has taken the waiter. The timer may call it after the wait.
  /// - Returns: How the wait has ended; see `give`.
  package func wait(
    until deadline: Deadline = .never, isolation: isolated (any Actor)? = #isolation,
    givingUp giveUp: @escaping @Sendable () -> Void
  ) async -> Outcome {
    let entry = deadline == .never ? nil : DeadlineTimer.Entry(deadline, giveUp)
    if let entry { DeadlineTimer.shared.schedule(entry) }
    await withTaskCancellationHandler {
      _ = isolation
      await waitUntilResumed()
    } onCancel: {
      giveUp()
    }
    if let entry { DeadlineTimer.shared.cancel(entry) }
    return outcomeAfterWaiting
  }

  /// Resumes the task.
  ///
  /// Call this once, and under no lock. On an executor that runs jobs where they are enqueued, the task then
  /// runs on the calling thread, until it suspends again. If it resumes another task there, and so on, only so
  /// many resumptions nest on the stack as `nestingLimit` allows. The thread of the timer does the next one.
  package func resume() {
    let depth = interlock_resumption_depth()
    if depth == Self.nestingLimit {
      // The entry owns the waiter: only a suspended task keeps its waiter alive, and not a thread that waits in an
      // `OrderedDelivery`, or an observer between two elements.
      return DeadlineTimer.shared.schedule(.init(Deadline(nanoseconds: Deadline.now)) { self.resumeNow() })
    }
    interlock_set_resumption_depth(depth + 1)
    resumeNow()
    interlock_set_resumption_depth(depth)
  }

  /// The number of resumptions that nest on a stack.
  ///
  /// Each may use as much of it as a task uses between two suspensions.
  private static var nestingLimit: Int { 16 }

  private func resumeNow() {
    guard let bits = wake() else { return }
    // Sound: the bits are those of a continuation that `waitUntilResumed` recorded, and no other thread gets
    // them.
    unsafe unsafeBitCast(UInt(bits), to: UnsafeContinuation<Void, Never>.self).resume()
  }
}
