internal import CInterlock
internal import Dispatch
package import InterlockCore

/// The timer for the deadlines of all waiting tasks of the process.
///
/// # Why
/// An additional task that sleeps during each timed wait would cost an allocation, two context switches and
/// a cancellation. This timer needs one heap and two threads, one of which sleeps while the other runs no function. A
/// thread is better than a dispatch timer because it sleeps in `LockWord.wait`: this wait has the clock of `Deadline`,
/// ThreadSanitizer sees it, and the explorer can replace it.
///
/// # State
/// `lock` guards all of it but the words on which threads sleep.
/// - `heap`: the deadlines; `sleepsUntil`: the one until which the watcher sleeps, or is about to.
/// - `watcher`: the number of the thread that waits for the deadlines; 0 if there is none. The first deadline
///   starts it. It ends when there has been no deadline for `idleTime`.
/// - `isExpiring`, `expiries`: whether the watcher runs an entry's function, and how many it has run.
/// - `guardian`: whether a second thread looks at each end of an interval whether the watcher is stuck in a function.
///   It is started when an entry waits while the watcher runs a function. When it finds the watcher idle, it sleeps
///   until `calls` changes: until an entry waits again while the watcher runs a function. It ends when it has slept
///   for `idleTime`.
///
/// # Invariants
/// 1. `sleepsUntil` is not later than the first deadline in the heap, except while the watcher is awake or
///    `changes` has changed since the watcher has set it. So it is awake when a deadline passes, or soon.
/// 2. An entry leaves the heap once: when its wait ends, or when a thread expires it. The entries'
///    functions run, and entries are destroyed, outside the lock.
/// 3. While entries are in the heap, there is a watcher, and it is guarded while it runs a function. A guard that
///    finds it in the same function twice becomes the watcher. When the function returns, the old one becomes the
///    guard, or ends if there is another.
///
/// An entry's function resumes a task. That task continues on the watcher's stack if its executor runs jobs where
/// they are enqueued, and may block there. By invariant 3, it delays other deadlines by at most two intervals. There
/// are at most two threads, and one for each function that blocks. An expiry wakes the guard at most once, and only if
/// another entry waits.
///
/// Removing an entry does not wake the watcher. So it may wake up and find no deadline that has passed, at most
/// once for each earlier deadline that it was given.
///
/// # Memory ordering
/// The lock orders everything except the sleep. `changes` and `calls` change only under the lock, and the watcher and
/// the guard read them under the lock before they sleep, so a change after this read ends the sleep.
///
/// # Limits
/// A child made by `fork` has no such thread, so no deadline ends a task's wait there, and no resumption beyond
/// `TaskWaiter.nestingLimit` follows. Timers of libdispatch have the same limit, and so have the threads of the pool.
package final class DeadlineTimer: @unchecked Sendable {
  // `@unchecked Sendable` is sound: `lock` guards the variables.

  /// A deadline, and the function to run when it passes.
  package final class Entry: @unchecked Sendable {
    // `@unchecked Sendable` is sound: the timer's lock guards `index`, and the other properties never change.
    // `deadline` is in nanoseconds, on the clock of `Deadline`.
    let deadline: UInt64
    /// Runs on a thread of the timer, under no lock.
    let expire: @Sendable () -> Void
    /// The index of this entry in the heap; `nil` while the entry is not in the heap.
    var index: Int?

    package init(_ deadline: Deadline, _ expire: @escaping @Sendable () -> Void) {
      self.deadline = deadline.nanoseconds
      self.expire = expire
    }
  }

  package static let shared = DeadlineTimer(startsThreads: true)

  /// Starts a thread that runs the closure; returns whether the system has made one.
  package typealias Start = @Sendable (@escaping @Sendable () -> Void) -> Bool

  private let lock = CoreLock()
  private var heap = DeadlineHeap()
  private var sleepsUntil = UInt64.max
  private var watcher: UInt64 = 0
  private var lastThread: UInt64 = 0
  private var isExpiring = false
  private var expiries: UInt64 = 0
  private var guardian = Guard.missing
  /// When the watcher ends unless there are deadlines again; `nil` while there are some.
  private var idleEnd: Deadline?
  private let changes = LockWord()
  private let calls = LockWord()
  /// A word that never changes, on which the guard sleeps for an interval.
  private let pause = LockWord()
  private let startsThreads: Bool
  private let idleTime: Duration
  private let start: Start

  // Functions that several others call are not inlined: each program contains them.

  /// The end of an interval of 10 ms that begins now.
  private static var endOfInterval: Deadline { Deadline(nanoseconds: Deadline.now + 10_000_000) }

  /// Makes a timer.
  ///
  /// - Parameters:
  ///   - startsThreads: Whether the first deadline starts the thread. Tests call `step` instead.
  ///   - idleTime: How long a thread waits until it is needed again before it ends.
  ///   - start: Starts a thread.
  package init(
    startsThreads: Bool, idleTime: Duration = .seconds(1),
    start: @escaping Start = PlatformThread.startService
  ) {
    self.startsThreads = startsThreads
    self.idleTime = idleTime
    self.start = start
  }

  /// Adds an entry, whose function then runs once its deadline has passed.
  ///
  /// The entry must not be in a heap yet.
  package func schedule(_ entry: Entry) {
    if let thread = ExploredThreads.current, self === Self.shared {
      return thread.schedule(entry, at: Deadline(nanoseconds: entry.deadline), entry.expire)
    }
    var help: Help?
    var wakes = false
    lock.withLock {
      heap.insert(entry)
      help = missingHelp()
      if entry.deadline < sleepsUntil {
        sleepsUntil = entry.deadline
        wakes = true
        changes.addReleasing(1)
      }
    }
    if wakes { changes.wake(count: 1) }
    bring(help)
  }

  /// Removes an entry, unless the timer has already taken it out to run its function.
  package func cancel(_ entry: Entry) {
    if let thread = ExploredThreads.current, self === Self.shared { return thread.cancel(entry) }
    _ = lock.withLock { heap.remove(entry) }
  }

  // MARK: The threads

  private enum Role {
    case watcher(UInt64)
    case guardian
  }

  private enum Guard {
    case missing, looking, asleep
  }

  /// What invariant 3 requires.
  private enum Help {
    case start(Role)
    case wakeGuard
  }

  /// Whether there is a watcher, for tests.
  package var hasThread: Bool { lock.withLock { watcher != 0 } }

  /// Whether a guard looks at the watcher, and whether one sleeps until it is called, for tests.
  package var isGuarded: Bool { lock.withLock { guardian == .looking } }
  package var hasIdleGuard: Bool { lock.withLock { guardian == .asleep } }

  /// Returns what invariant 3 requires now, and what the caller must bring after the unlock.
  @inline(never)
  private func missingHelp() -> Help? {
    guard startsThreads, heap.first != nil else { return nil }
    if watcher == 0 { return .start(.watcher(becomeWatcher())) }
    if !isExpiring || guardian == .looking { return nil }
    defer { guardian = .looking }
    if guardian == .missing { return .start(.guardian) }
    calls.addReleasing(1)
    return .wakeGuard
  }

  @inline(never)
  private func becomeWatcher() -> UInt64 {
    lastThread += 1
    watcher = lastThread
    idleEnd = nil
    isExpiring = false
    return lastThread
  }

  @inline(never)
  private func bring(_ help: Help?) {
    switch help {
    case .start(.watcher(let number)): startWatcher(number)
    case .start(.guardian):
      // The next entry tries again if the system refuses a thread.
      if !start({ self.serve(as: .guardian) }) { lock.withLock { guardian = .missing } }
    case .wakeGuard: calls.wake(count: 1)
    case nil: break
    }
  }

  /// Starts the watcher.
  ///
  /// While the system refuses a thread, threads of libdispatch watch, which tasks need too: each for a moment, so that
  /// tasks run in between.
  private func startWatcher(_ number: UInt64) {
    if start({ self.serve(as: .watcher(number)) }) { return }
    DispatchQueue.global().async {
      if self.step(as: number, until: Self.endOfInterval) != .ended { self.startWatcher(number) }
    }
  }

  /// Runs a thread of the timer, whose role changes.
  private func serve(as role: Role) {
    var role: Role? = role
    while let current = role {
      switch current {
      case .watcher(let number): role = watch(as: number)
      case .guardian: role = guardWatcher()
      }
    }
  }

  /// Runs the watcher until there is another one or there has been no deadline for `idleTime`; returns the thread's next
  /// role.
  private func watch(as number: UInt64) -> Role? {
    while step(as: number) != .ended {}
    return lock.withLock {
      guard watcher != 0, guardian == .missing else { return nil }
      guardian = .looking
      return .guardian
    }
  }

  /// Looks at the end of each interval whether the watcher is still in the same function; returns the thread's next role.
  private func guardWatcher() -> Role? {
    var seen = lock.withLock { expiries }
    while true {
      let end = Self.endOfInterval
      // A signal ends a wait early.
      while !end.hasPassed { pause.wait(while: 0, until: end) }
      var number: UInt64?
      var call: UInt32?
      lock.withLock {
        if expiries != seen {
          seen = expiries
        } else if isExpiring {
          guardian = .missing
          number = becomeWatcher()
        } else {
          guardian = .asleep
          call = calls.loadRelaxed()
        }
      }
      if let number { return .watcher(number) }
      if let call {
        guard let expiries = sleep(whileCallsAre: call) else { return nil }
        seen = expiries
      }
    }
  }

  /// Sleeps until the guard is called; returns `expiries`, or `nil` if nothing has called it for `idleTime`.
  private func sleep(whileCallsAre call: UInt32) -> UInt64? {
    let end = Deadline(after: idleTime)
    while calls.loadRelaxed() == call, !end.hasPassed { calls.wait(while: call, until: end) }
    return lock.withLock {
      if guardian == .looking { return expiries }
      guardian = .missing
      return nil
    }
  }

  /// What a step of the watcher has done.
  package enum Step {
    case expired, slept
    /// The thread is not the watcher any more.
    case ended
  }

  /// Expires the first entry if its deadline has passed; otherwise sleeps until that deadline.
  ///
  /// The sleep also ends when an earlier deadline is added.
  ///
  /// - Parameters:
  ///   - number: The number of the calling thread, if the timer has started it.
  ///   - end: When to end the sleep.
  @discardableResult
  package func step(as number: UInt64 = 0, until end: Deadline = .never) -> Step {
    var due: Entry?
    var help: Help?
    var isOver = false
    var change: UInt32 = 0
    var deadline = Deadline.never
    lock.withLock {
      if watcher != number {
        isOver = true
        return
      }
      isExpiring = false
      if let first = heap.first {
        idleEnd = nil
        deadline = Deadline(nanoseconds: first.deadline)
        sleepsUntil = first.deadline
        if deadline.hasPassed {
          due = first
          _ = heap.remove(first)
          isExpiring = true
          expiries += 1
          help = missingHelp()
        }
      } else {
        sleepsUntil = .max
        deadline = idleEnd ?? (startsThreads ? Deadline(after: idleTime) : .never)
        idleEnd = deadline
        if deadline.hasPassed {
          watcher = 0
          isOver = true
        }
      }
      change = changes.loadRelaxed()
    }
    if isOver { return .ended }
    guard let due else {
      changes.wait(while: change, until: deadline.nanoseconds < end.nanoseconds ? deadline : end)
      return .slept
    }
    bring(help)
    due.expire()
    return .expired
  }
}
