public import InterlockCore
public import InterlockWaits
public import UnfairLocks

/// One wait of a thread or a task for the next write to any of several protectors.
///
/// # Algorithm
/// A writer holds the lock of one value, so it can't evaluate a predicate over several. The wait therefore has an
/// observer in the queue of each protector (`ValueObserver`), and the next write to any of them serves it. The
/// thread or task then removes the other observers, acquires all locks, and evaluates its predicate itself.
///
/// # Why no wake-up is lost or doubled
/// All observers join in one section over all protectors, the one in which the predicate was false. So each later
/// write finds one. `end` is called for each observer that is served, and when the task gives up. The first call
/// notifies `word` and wakes; the others find it notified.
///
/// # Lifetime
/// A writer may notify an observer after the wait has ended. Each observer keeps the wait alive, and its queue or
/// its writer keeps the observer alive. `leave` ends the references from the wait to its observers.
// `@unchecked Sendable` is sound: only the waiting thread or task uses `last` and the observers' `previous`.
@usableFromInline
final class JointWait: @unchecked Sendable {
  /// The claim on the wait, of a task, too.
  private let word = WaitWord()
  private let task = TaskWaiter()
  private let isOfThread: Bool
  /// The observer that has joined last; each refers to the one before it.
  private var last: Observer?

  private final class Observer: ValueObserver, @unchecked Sendable {
    private let wait: JointWait
    let primitive: Primitive
    var previous: Observer?

    init(_ wait: JointWait, queue: UInt, _ primitive: Primitive, after previous: Observer?) {
      self.wait = wait
      self.primitive = primitive
      self.previous = previous
      super.init(queue: queue, primitive)
    }

    override func notify() { wait.end() }
  }

  @usableFromInline
  init(ofThread isOfThread: Bool) { self.isOfThread = isOfThread }

  /// Must be called for each protector, in a section over all of them, in which the predicate is false.
  @usableFromInline
  func observe(queue: UInt, _ primitive: Primitive) {
    let observer = Observer(self, queue: queue, primitive, after: last)
    unsafe observer.waiter.pointee.wakesThread = isOfThread
    observer.join()
    last = observer
  }

  /// Takes the observers that were not served from their queues; must be called after the wait, in no section.
  @usableFromInline
  func leave() {
    var next = last.take()
    while let observer = next {
      observer.leave()
      // Taken, so that a writer which releases an observer last does not release a chain of them.
      next = observer.previous.take()
    }
  }

  private func end(giving outcome: TaskWaiter.Outcome = .served) {
    Probe.willWake(word.key)
    guard word.notify(), !isOfThread else { return }
    task.give(outcome)
    task.resume()
  }

  /// Sleeps until a writer ends the wait, at most until `deadline`.
  @usableFromInline
  func sleep(until deadline: Deadline) {
    noteOthers(areAwaited: true)
    defer { noteOthers(areAwaited: false) }
    var wait = recordedWait(of: 0)
    _ = wait.willSleep()
    _ = word.sleep(until: deadline)
  }

  /// Suspends the task until a writer ends the wait, the task is cancelled, or the deadline passes; returns which it was.
  @usableFromInline
  func suspend(
    until deadline: Deadline, isolation: isolated (any Actor)? = #isolation
  ) async -> TaskWaiter.Outcome {
    noteOthers(areAwaited: true)
    defer { noteOthers(areAwaited: false) }
    var wait = recordedWait(of: TaskIdentity.current)
    _ = wait.willSleep()
    return await suspendWithoutRecord(until: deadline)
  }

  // Not inlined, for the reason at `TaskWait.isServedAfterSuspension`.
  @inline(never)
  private func suspendWithoutRecord(
    until deadline: Deadline, isolation: isolated (any Actor)? = #isolation
  ) async -> TaskWaiter.Outcome {
    await task.wait(until: deadline) { self.end(giving: deadline.hasPassed ? .timedOut : .cancelled) }
  }

  /// Names the protectors besides the last one in the explorer's reports.
  private func noteOthers(areAwaited: Bool) {
    guard let thread = ExploredThreads.current else { return }
    var next = last?.previous
    while let observer = next {
      if areAwaited {
        thread.noteWait(for: observer.primitive, isOfTask: !isOfThread)
      } else {
        thread.noteEndOfWait()
      }
      next = observer.previous
    }
  }

  private func recordedWait(of task: UInt64) -> Probe.Wait {
    guard let last else {
      misuse(
        Primitive(.severalProtectors), "waits for a predicate over no protectors",
        "pass one whose writes end the wait")
    }
    return Probe.Wait(for: last.queue, last.primitive, wokenBy: word.key, task: task)
  }
}

extension GuardedValue where Value: ~Copyable, Lock: RawLock & ~Copyable {
  @_alwaysEmitIntoClient
  func observe(_ wait: JointWait) { wait.observe(queue: waiters.key, predicate.primitive(.predicate)) }
}

// MARK: - Waiting

/// Acquires several locks as soon as `isSatisfied` returns `true`, which is called while they are held.
///
/// - Parameters:
///   - acquire: Acquires the locks until a deadline, and returns whether it did.
///   - observe: Lets the wait observe all values.
///   - giveUp: Releases the locks.
/// - Returns: Whether the locks are acquired; `false` only after `deadline`.
@_alwaysEmitIntoClient
func acquireTogether(
  until deadline: Deadline, acquire: (Deadline) -> Bool, isSatisfied: () -> Bool,
  observe: (JointWait) -> Void, giveUp: () -> Void
) -> Bool {
  while acquire(deadline) {
    if isSatisfied() { return true }
    let wait = deadline.hasPassed ? nil : JointWait(ofThread: true)
    if let wait { observe(wait) }
    giveUp()
    guard let wait else { break }
    wait.sleep(until: deadline)
    wait.leave()
  }
  return false
}

/// The same for a task, which also gives up when it is cancelled; throws the reason.
@_alwaysEmitIntoClient
func acquireTogether(
  until deadline: Deadline, acquire: (Deadline) -> Bool, isSatisfied: () -> Bool,
  observe: (JointWait) -> Void, isolation: isolated (any Actor)? = #isolation, giveUp: () -> Void
) async throws {
  var end = TaskWaiter.Outcome.served
  while acquire(deadline) {
    if isSatisfied() { return }
    if let error = reasonToGiveUp(after: end, deadline) {
      giveUp()
      throw error
    }
    let wait = JointWait(ofThread: false)
    observe(wait)
    giveUp()
    end = await wait.suspend(until: deadline)
    wait.leave()
  }
  throw timeoutOfSeveralPassed()
}

/// The error of a task that must not wait (again) after its last wait has ended with `end`; `nil` if it may.
@usableFromInline
func reasonToGiveUp(after end: TaskWaiter.Outcome, _ deadline: Deadline) -> (any Error)? {
  switch end {
  case .cancelled: return CancellationError()
  case .timedOut: return timeoutOfSeveralPassed()
  case .served:
    if deadline == .passed { return timeoutOfSeveralPassed() }
    if Task.isCancelled { return CancellationError() }
    return deadline.hasPassed ? timeoutOfSeveralPassed() : nil
  }
}
