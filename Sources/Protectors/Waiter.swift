public import InterlockCore
public import InterlockWaits

/// A thread or a task that waits for its predicate to hold: a node of a protector's `WaitQueue`.
///
/// The waiter is on the stack of the waiting thread, or belongs to the `TaskWait` or `ValueObserver` of a
/// task. Other threads use it while it is in the queue. The thread that takes the waiter from the queue may
/// use it longer: until it has notified `word`, or has resumed the task. The header of `WaitQueue`
/// says which thread may change what.
///
/// `@safe`: its pointers lead to waiters in the same queue or list. Those keep their addresses while they are
/// linked.
@safe
@usableFromInline
struct Waiter: ~Copyable {
  @usableFromInline
  let word = WaitWord()

  /// The identity of the protector's predicates, for a profile of contention.
  private let primitive: Primitive

  /// What the waiter's thread or task waits for, which decides how the waiter is served.
  @usableFromInline
  enum Kind {
    /// A thread or a task that reads, or an observer: all whose predicates hold are served together.
    case reader
    /// A thread that writes: the next one is served after the served one has acquired the lock or given up.
    case thread
    /// A task that writes: the next one is served after the served one has acquired the lock.
    case task
  }
  let kind: Kind

  /// Whether the waiter can give up.
  ///
  /// It is `true` for a thread with a deadline, and for every task, because tasks can be cancelled.
  let isCancellable: Bool

  // The section "Guard" in the header of `WaitQueue` says which threads may access the variables. The small
  // ones come first, because padding costs 16 bytes for each waiting task.

  /// Whether the waiter is in a list of the queue.
  var isQueued = false
  /// Whether the waiter was served: its thread must now acquire the lock and evaluate its predicate again, or pass on.
  ///
  /// A thread that sets this must then notify the waiter's thread, once.
  var isServed = false
  /// Whether a thread in a write section is evaluating the predicate now.
  var isBeingExamined = false
  /// Whether the predicate held when it was last evaluated; of use for a served thread only.
  var held = false
  /// Whether writers count who overtakes this served thread on its way to the lock.
  var isWatched = false
  /// Whether the protector's lock was reserved for this served thread.
  var isPromised = false
  /// The number of times that this writer was overtaken; stops at 64.
  ///
  /// If a thread overtakes several sleeping threads, this counts only for the first of them in the queue.
  var overtakings: UInt8 = 0
  /// Whether the writer was overtaken so often that no other that counts may overtake it again, while it is served.
  var isDue: Bool {
    // In explorations it is 1 for a thread, so that schedules with a reservation need few steps.
    overtakings >= (kind == .thread && ExploredThreads.current != nil ? 1 : 64)
  }
  /// Whether the writer was overtaken already; of explored threads always `true`, so that they are watched.
  var wasOvertaken: Bool { overtakings > 0 || ExploredThreads.current != nil }
  /// Whether `notify` wakes a thread, and never resumes a task.
  var wakesThread: Bool
  /// Whether the waiting thread or task has given up while a writer was evaluating its predicate.
  ///
  /// The writer then serves or removes the waiter, unless it is served, and notifies it.
  var isLeaving = false

  /// Evaluates a predicate, given the addresses of the value and of the predicate.
  ///
  /// The function knows the types of both, and captures nothing. A closure that captured the predicate would
  /// need an allocation.
  @usableFromInline
  typealias Evaluation = (_ value: UnsafeRawPointer, _ predicate: UnsafeRawPointer) -> Bool
  private let evaluation: Evaluation
  private let predicate: UnsafeRawPointer

  /// The waits for the same `WaitCondition`; `nil` for a closure of this wait alone.
  ///
  /// The call that the waiter belongs to keeps the group alive.
  var group: WaitGroup? { unsafe groupReference?.takeUnretainedValue() }
  private let groupReference: Unmanaged<WaitGroup>?

  /// Suspends and resumes the waiting task; `nil` for a thread, and of no use for an observer of a `JointWait`.
  let task: TaskWaiter?

  /// The observer that the waiter belongs to; `nil` for a wait for a predicate.
  ///
  /// The queue owns one reference to the observer while the waiter is in the queue.
  var observer: Unmanaged<ValueObserver>?

  /// The call of `serve` in which the predicate was last evaluated (`WaitLists.round`).
  var examinedIn: UInt64 = 0
  /// The other waiters of the group, if this waiter represents its group.
  var followers = Waiters()
  /// The links of a list of `Waiters`.
  var next: UnsafeMutablePointer<Waiter>?
  var previous: UnsafeMutablePointer<Waiter>?

  /// Makes a waiter that is in no queue.
  ///
  /// - Parameters:
  ///   - kind: What it waits for.
  ///   - isCancellable: Whether it can give up.
  ///   - task: Suspends and resumes the waiting task; `nil` for a thread.
  ///   - group: The waits for the same condition, which must outlive the waiter; `nil` for a closure.
  ///   - primitive: The identity of the protector's predicates.
  ///   - predicate: The predicate's address, which must stay valid for as long as the waiter lives.
  ///   - evaluation: Evaluates the predicate.
  @usableFromInline
  init(
    _ kind: Kind, isCancellable: Bool, task: TaskWaiter? = nil, group: WaitGroup? = nil, primitive: Primitive,
    predicate: UnsafeRawPointer, evaluation: @escaping Evaluation
  ) {
    self.kind = kind
    unsafe groupReference = group.map { unsafe .passUnretained($0) }
    self.task = task
    wakesThread = task == nil
    self.isCancellable = isCancellable
    self.primitive = primitive
    unsafe self.predicate = predicate
    unsafe self.evaluation = unsafe evaluation
  }

  /// Reports to the explorer that the calling thread uses this waiter, which belongs to another thread.
  ///
  /// If nothing guarantees that this use comes before the end of the waiter (`willEnd`), the explorer reports
  /// a data race.
  @inline(__always)
  private borrowing func willBeUsed() {
    ExploredThreads.current?.access(at: word.key &+ lockKeyOffset, writes: false)
  }

  /// Reports to the explorer that the waiter is about to be freed.
  @_alwaysEmitIntoClient
  @_transparent
  borrowing func willEnd() {
    ExploredThreads.current?.access(at: word.key &+ lockKeyOffset, writes: true)
  }

  /// Whether the predicate holds for the value at `value`, in the call of `serve` with the number `round`.
  ///
  /// The caller must be in a write section. The predicate, a closure of the waiting thread or task, runs on
  /// the calling thread.
  borrowing func isSatisfied(by value: UnsafeRawPointer, in round: UInt64) -> Bool {
    willBeUsed()
    guard let group = unsafe groupReference else { return unsafe evaluation(value, predicate) }
    // A retain and a release would take a sixth of the time of a write beside waits for a condition.
    return unsafe group._withUnsafeGuaranteedRef { group in
      group.holds(in: round) { unsafe evaluation(value, predicate) }
    }
  }

  // MARK: Sleeping and waking

  /// Sleeps until notified, at most until `deadline`.
  ///
  /// Returns `false` when the deadline passed first.
  ///
  /// - Parameters:
  ///   - queue: The key of the queue, for a profile of contention.
  ///   - attempt: The limits on spinning. This function sets the attempt's outcome if the thread is notified
  ///     before it sleeps.
  borrowing func sleep(
    in queue: UInt, until deadline: Deadline, _ attempt: inout AdaptiveSpin.Attempt
  ) -> Bool {
    var wait = Probe.Wait(for: queue, primitive, wokenBy: word.key)
    var round = 0
    while round < attempt.checksBeforeYield {
      if check(after: round, &attempt) { return true }
      Backoff.pause()
      round += 1
    }
    if yieldAndCheck(&attempt) { return true }
    round = 0
    while round < attempt.checksAfterYield {
      if check(after: attempt.checksBeforeYield + 1 + round, &attempt) { return true }
      Backoff.pause()
      round += 1
      if round % 64 == 0 {
        if yieldAndCheck(&attempt) { return true }
        if deadline.hasPassed { break }
      }
    }
    _ = wait.willSleep()
    return word.sleep(until: deadline)
  }

  /// Returns a new record of a wait of the waiter's task, for a contention profile.
  ///
  /// - Parameters:
  ///   - task: The waiting task's `TaskIdentity`.
  ///   - queue: The key of the queue.
  borrowing func recordedWait(of task: UInt64, in queue: UInt) -> Probe.Wait {
    Probe.Wait(for: queue, primitive, wokenBy: word.key, task: task)
  }

  private borrowing func check(after checks: Int, _ attempt: inout AdaptiveSpin.Attempt) -> Bool {
    guard word.isNotified else { return false }
    attempt.outcome = .notified(checks: checks)
    return true
  }

  private borrowing func yieldAndCheck(_ attempt: inout AdaptiveSpin.Attempt) -> Bool {
    Backoff.yield()
    guard word.isNotified else { return false }
    attempt.outcome = .notifiedWhileYielding
    return true
  }

  /// Prepares the waiter for a wait; it must be new, or must have been notified.
  borrowing func rearm() {
    if let task { return task.rearm() }
    word.rearm()
  }

  /// Notifies the waiting thread or task, and wakes or resumes it.
  ///
  /// The caller must not use the waiter afterwards, because the waiting thread may free it before this
  /// function returns.
  static func notify(_ waiter: UnsafeMutablePointer<Waiter>) {
    // Sound: a thread's waiter stays valid until `word` is notified, and a task's until the task is resumed.
    unsafe waiter.pointee.willBeUsed()
    Probe.willWake(unsafe waiter.pointee.word.key)
    if let observer = unsafe waiter.pointee.observer {
      // Sound: the calling thread has taken the waiter from the queue, so the queue's reference to the
      // observer is now the calling thread's.
      return unsafe observer.takeRetainedValue().notify()
    }
    if let task = unsafe waiter.pointee.task { return task.resume() }
    unsafe waiter.pointee.word.notify()
  }
}

/// Stores the predicate of a waiter in memory, so that the waiter can refer to the predicate by its address.
@usableFromInline
@frozen
struct WaitPredicate<Value: ~Copyable>: Sendable {
  @usableFromInline
  let isSatisfied: @Sendable (borrowing Value) -> Bool

  @_alwaysEmitIntoClient
  init(isSatisfied: @escaping @Sendable (borrowing Value) -> Bool) {
    self.isSatisfied = isSatisfied
  }

  /// Evaluates the predicate at an address for the value at another.
  @_alwaysEmitIntoClient
  static var evaluation: Waiter.Evaluation {
    // Sound: `Waiter` passes the addresses of the protector's value, under the lock, and of the predicate.
    { value, predicate in
      unsafe predicate.assumingMemoryBound(to: Self.self).pointee
        .isSatisfied(value.assumingMemoryBound(to: Value.self).pointee)
    }
  }
}
