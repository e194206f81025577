public import LockSupport
internal import UnfairLocks

/// The queue of threads and tasks that wait for a predicate on the value of one protector.
///
/// # Why
/// With a condition variable, users must signal, and check again in a loop. Here the end of each write
/// section finds the predicates that have become true. If no thread waits, that costs one load.
///
/// # Algorithm
/// A thread that finds its predicate false in a write section appends a `Waiter` to the queue, in that
/// section. After the section it sleeps on the waiter's word. At the end of each write section, still under
/// the lock, the writer evaluates the queued predicates (`serve`). It *serves* each reader whose predicate
/// holds: it marks the reader for notification. It also serves one writer whose predicate holds, unless a
/// served writer has yet to acquire the lock. After the unlock it notifies the threads that it has served.
/// Each of them acquires the lock and checks its predicate again: another thread may have been faster.
///
/// # States of a waiter
/// - *Queued*: a writer may examine it (`examine`). At its deadline its thread removes it (`leave`).
/// - *Examined*: a writer evaluates its predicate. In its next step the writer serves it, queues it again, or
///   removes it if its thread is leaving.
/// - *Served*: the thread is notified and acquires the lock. A served reader has left the queue; a served
///   writer is the first in the queue. No writer examines a served waiter. The thread runs its body
///   (`arrive`), is queued again (`waitOn`), or gives up (`passOn`).
///
/// A task's waiter is like a reader's, but keeps its place while it is served (`TaskWait`). An observer's
/// predicate always holds, so the next write section serves the observer (`ValueObserver`). An observer is
/// appended in the section in which its iterator reads the value, and is exempt from invariants 1 and 2.
///
/// A thread gives up at its deadline, without acquiring the lock. If a writer is evaluating the thread's
/// predicate, which is on the thread's stack, the thread first waits for the end of the evaluation. A served
/// writer that gives up serves the next writer, without evaluating a predicate.
///
/// # Guard
/// A thread in a write section changes the queue and the waiters in steps (`inOneStep`). A thread that gives
/// up is in no section, and changes them under `queueLock`. A step holds `queueLock` only if
/// `cancellableCount`, the number of queued waiters that can give up, is not 0. It grows only in write
/// sections, so a writer that finds 0 has the queue to itself. `queueLock` covers no predicate or wake-up.
///
/// # Invariants
/// 1. A waiter is appended only in the write section in which its thread found the predicate false.
/// 2. When a write section releases the lock, each queued waiter's predicate is false, or the waiter is a
///    writer and some writer is served. At most one writer is served, and it is the first in the queue.
/// 3. A served writer calls `serve` in its write section, or calls `passOn`.
/// 4. A served waiter, and an examined one whose thread is leaving, is notified exactly once, by the thread
///    that last changed it. That thread does not use the waiter afterwards. The waiting thread frees or
///    reuses its waiter only after that, or after it has removed the waiter itself.
///
/// # Why no wake-up is lost, and memory ordering
/// By 1 no write comes between "the predicate is false" and "the waiter is queued". A later write section
/// acquires the lock after that, so its relaxed load of `first` sees the queue. By 2 and 3, when no thread is
/// in a section or about to enter one, all queued predicates are false. Sleeping and notifying change
/// `Waiter.word` by read-modify-writes, so the later one sees the earlier one. `cancellableCount` is lowered
/// with release and read with acquire, so a writer that finds 0 sees the removals. A word becomes `notified`
/// with release and is read with acquire. Other atomics are relaxed: the guard orders `first`, and whether a
/// waiter sleeps affects only the order of service.
///
/// # Fairness, and the deadlocks it permits
/// Among writers whose predicates hold, awake threads are served first, because waking takes long; then the
/// order of arrival decides. A sleeping writer that was overtaken 64 times is *due*: it counts as awake. An
/// overtaking counts only for the first sleeper that is overtaken. So a writer behind *k* others is overtaken
/// at most (*k* + 1) × 64 times. A wait deadlocks if no write makes its predicate true, or if it holds
/// another lock that is needed to make its predicate true.
// `@unchecked Sendable` is sound: the header says what guards the queue. `@safe`: its pointers lead to
// waiters in the queue, which leave the queue before their memory is freed.
@safe
@usableFromInline
struct WaitQueue: ~Copyable, @unchecked Sendable {
  /// The first waiter: a served writer if there is one, otherwise the waiter that has waited for longest.
  @usableFromInline
  let first: AtomicPointer<Waiter>

  /// The number of queued waiters that can give up: those of threads with a deadline, and those of all tasks.
  let cancellableCount = LockWord()

  /// Excludes waiters that give up from the writer that is serving the queue.
  private let queueLock = UnfairLock()

  @usableFromInline
  init() {
    unsafe first = AtomicPointer()
  }

  @_alwaysEmitIntoClient
  @_transparent
  var isNotEmpty: Bool { unsafe first.load(.relaxed) != nil }

  // Sound, for each `unsafe` in this type: the calling thread may use the queue and the waiter by the rules
  // of the section "Guard" in the header of `WaitQueue`. A waiter keeps its address while it is in the queue.

  /// Runs `step`, which changes the queue, while no other thread can change the queue.
  ///
  /// The caller must be in a write section. Threads that give up are in no section, so `queueLock` excludes
  /// them.
  private borrowing func inOneStep(_ step: () -> Void) {
    if cancellableCount.loadAcquiring() == 0 { step() } else { queueLock.withLock { step() } }
  }

  /// Reports to the explorer that the calling thread uses the queue and the waiters in it.
  ///
  /// The queue and its waiters are ordinary memory. The explorer reports a data race if two threads use them
  /// in an order that nothing guarantees.
  @inline(__always)
  private borrowing func willUseQueue() {
    ExploredThreads.current?.access(at: key &+ lockKeyOffset, writes: true)
  }

  /// The queue's key, which identifies it as a lock's key identifies the lock (see `LockWord.key`).
  ///
  /// The key is computed from the address of `first`, which is also the address of the queue.
  @_alwaysEmitIntoClient
  @_transparent
  var key: UInt { unsafe withUnsafePointer(to: first) { UInt(bitPattern: $0) &- lockKeyOffset } }

  // MARK: Serving

  /// One of the two passes over the queue in which `serve` evaluates predicates.
  private enum Pass {
    /// The first pass: considers writers that are awake, and those that are *due* (`Waiter.isDue`).
    case overtaking
    /// The second pass: considers all waiters that the first pass has not examined.
    case inOrder
  }

  /// Chooses (*serves*) waiters whose predicates hold for the value at `value`.
  ///
  /// The caller must be at the end of a write section, and must call `wake()` on the result after the
  /// section.
  ///
  /// - Returns: The served waiters, and waiters that gave up while their predicates were evaluated.
  @_alwaysEmitIntoClient
  @_transparent
  borrowing func serve(_ value: UnsafeRawPointer) -> ServedWaiters {
    let bits = callOutOfLine(interlock_protector_serve, key, UInt(bitPattern: value))
    return ServedWaiters(bits: bits)
  }

  fileprivate borrowing func serveSlow(_ value: UnsafeRawPointer) -> ServedWaiters {
    var served = ServedWaiters()
    var last: UnsafeMutablePointer<Waiter>?
    var pass = Pass.overtaking
    var examined: UnsafeMutablePointer<Waiter>?
    inOneStep { unsafe examined = examine(first.load(.relaxed), &pass) }
    while let waiter = unsafe examined {
      let holds = unsafe waiter.pointee.isSatisfied(by: value)
      inOneStep {
        willUseQueue()
        unsafe waiter.pointee.isExamined = false
        let next = unsafe waiter.pointee.next
        if holds {
          // A waiter whose predicate holds is served even if its deadline has passed. Its thread is notified,
          // and then acquires the lock or calls `passOn`.
          if pass == .overtaking { unsafe countOvertaking(by: waiter) }
          unsafe makeServed(waiter)
          unsafe served.append(waiter, after: last)
          unsafe last = waiter
        } else if unsafe waiter.pointee.isLeaving {
          // Don't notify the waiter here, under the lock: resuming a task may run user code, or wait for a
          // cancellation handler that waits for this lock. It is notified with the served waiters.
          unsafe remove(waiter)
          unsafe served.append(waiter, after: last)
          unsafe last = waiter
        } else if pass == .overtaking {
          unsafe waiter.pointee.isPassedOver = true
        }
        unsafe examined = examine(next, &pass)
      }
    }
    return served
  }

  /// Marks the next waiter whose predicate is to be evaluated, beginning at `start`, and returns it.
  ///
  /// At the end of the first pass over the queue (`overtaking`), the second pass (`inOrder`) begins. At the
  /// end of the second pass the result is `nil`.
  private borrowing func examine(
    _ start: UnsafeMutablePointer<Waiter>?, _ pass: inout Pass
  ) -> UnsafeMutablePointer<Waiter>? {
    willUseQueue()
    var candidate = unsafe start
    while true {
      while let waiter = unsafe candidate {
        if unsafe pass == .inOrder && waiter.pointee.isPassedOver {
          unsafe waiter.pointee.isPassedOver = false
        } else if unsafe isToBeExamined(waiter, pass) {
          unsafe waiter.pointee.isExamined = true
          return unsafe waiter
        }
        unsafe candidate = waiter.pointee.next
      }
      if pass == .inOrder { return nil }
      pass = .inOrder
      unsafe candidate = first.load(.relaxed)
    }
  }

  private borrowing func isToBeExamined(_ waiter: UnsafeMutablePointer<Waiter>, _ pass: Pass) -> Bool {
    if unsafe waiter.pointee.isServed { return false }
    if unsafe !waiter.pointee.isWriterThread { return pass == .inOrder }
    return unsafe !isWriterOnItsWay
      && (pass == .inOrder || waiter.pointee.isDue || !waiter.pointee.isAsleep)
  }

  /// Adds one to the overtakings of the first sleeping writer that `waiter` overtakes, if there is one.
  ///
  /// The caller must be about to serve `waiter` in `Pass.overtaking`. Writers whose predicates have been
  /// found false in this pass are skipped.
  private borrowing func countOvertaking(by waiter: UnsafeMutablePointer<Waiter>) {
    var candidate = unsafe first.load(.relaxed)
    while let other = unsafe candidate, unsafe other != waiter {
      if unsafe !other.pointee.isWriterThread || other.pointee.isPassedOver {
        unsafe candidate = other.pointee.next
        continue
      }
      // Not `+=`, which would access the whole waiter: its thread may be using its `word`.
      if unsafe !other.pointee.isDue { unsafe other.pointee.overtakings = other.pointee.overtakings + 1 }
      return
    }
  }

  /// Whether a served writer has yet to acquire the lock.
  private var isWriterOnItsWay: Bool {
    guard let first = unsafe first.load(.relaxed) else { return false }
    return unsafe first.pointee.isWriterThread && first.pointee.isServed
  }

  /// Marks a waiter as served.
  ///
  /// Moves a writer to the front, and removes a reader or an observer from the queue. A task that waits for a
  /// predicate keeps its place.
  ///
  /// The caller must notify the waiter's thread afterwards, outside the lock.
  private borrowing func makeServed(_ waiter: UnsafeMutablePointer<Waiter>) {
    unsafe waiter.pointee.isServed = true
    if unsafe waiter.pointee.isWriterThread {
      unsafe unlink(waiter)
      unsafe linkFirst(waiter)
    } else if unsafe !waiter.pointee.isTaskWithPredicate {
      unsafe remove(waiter)
    }
  }

  // MARK: Coming and going, in write sections

  /// Appends a waiter to the queue.
  ///
  /// The caller must be in a write section (see invariant 1 of `WaitQueue`).
  @usableFromInline
  borrowing func append(_ waiter: UnsafeMutablePointer<Waiter>) {
    inOneStep {
      unsafe linkLast(waiter)
      unsafe waiter.pointee.isQueued = true
      if unsafe waiter.pointee.isCancellable { cancellableCount.addReleasing(1) }
    }
  }

  /// Removes the waiter of the calling thread or task from the queue, if it is in the queue.
  ///
  /// The caller must be in a write section. It must have found its predicate true in this section, or must be
  /// giving up.
  @usableFromInline
  borrowing func arrive(_ waiter: UnsafeMutablePointer<Waiter>) {
    inOneStep { unsafe remove(waiter) }
  }

  /// Prepares the waiter of the calling thread or task for a wait, and ensures that it is in the queue.
  ///
  /// The caller must be in a write section. The waiter must have been served, or must not be in the queue. A
  /// served waiter that is still in the queue keeps its place: a writer's at the front, a task's where it
  /// was. A waiter that has left the queue, such as a reader's, is appended.
  @usableFromInline
  borrowing func waitOn(_ waiter: UnsafeMutablePointer<Waiter>) {
    unsafe waiter.pointee.rearm()
    var isQueued = false
    inOneStep {
      willUseQueue()
      unsafe waiter.pointee.isServed = false
      unsafe waiter.pointee.isLeaving = false
      unsafe isQueued = waiter.pointee.isQueued
    }
    if !isQueued { unsafe append(waiter) }
  }

  // MARK: Sleeping and giving up, outside of sections

  /// Sleeps until the calling thread's waiter is notified, at most until `deadline`.
  ///
  /// The waiter must be in the queue, and the caller must be in no section of this protector.
  ///
  /// - Returns: Whether the waiter was served. If not, the deadline has passed, and the waiter has left the
  ///   queue.
  @usableFromInline
  borrowing func sleep(
    _ waiter: UnsafeMutablePointer<Waiter>, until deadline: Deadline, _ attempt: inout AdaptiveSpin.Attempt
  ) -> Bool {
    unsafe waiter.pointee.sleep(in: key, until: deadline, &attempt) || !leave(waiter)
  }

  /// Removes the calling thread's waiter from the queue, because its deadline has passed.
  ///
  /// If a writer has served the waiter or is evaluating its predicate, the function waits for the writer's
  /// notification instead.
  ///
  /// - Returns: Whether the waiter has left the queue without having been served.
  private borrowing func leave(_ waiter: UnsafeMutablePointer<Waiter>) -> Bool {
    var isServed = false
    var isExamined = false
    queueLock.withLock {
      unsafe isServed = waiter.pointee.isServed
      unsafe isExamined = waiter.pointee.isExamined
      if isExamined {
        unsafe waiter.pointee.isLeaving = true
      } else if !isServed {
        unsafe remove(waiter)
      }
    }
    guard isServed || isExamined else { return true }
    unsafe waiter.pointee.sleepUntilNotified()
    // Reading `isServed` needs no lock, because no other thread uses the waiter after the notification.
    return unsafe !waiter.pointee.isServed
  }

  /// Serves the next waiting writer instead of the calling thread, which could not acquire the lock in time.
  ///
  /// Removes the calling thread's waiter from the queue. Does nothing if the waiter is not in the queue. The
  /// caller must hold no lock of this protector.
  @usableFromInline
  borrowing func passOn(_ waiter: UnsafeMutablePointer<Waiter>) {
    var next: UnsafeMutablePointer<Waiter>?
    queueLock.withLock {
      guard unsafe waiter.pointee.isQueued else { return }
      willUseQueue()
      unsafe next = waiter.pointee.next
      while let candidate = unsafe next, unsafe !candidate.pointee.isWriterThread {
        unsafe next = candidate.pointee.next
      }
      if let next = unsafe next { unsafe makeServed(next) }
      unsafe remove(waiter)
    }
    if let next = unsafe next { unsafe Waiter.notify(next) }
  }

  /// Removes a task's waiter, unless a writer has served it or is evaluating its predicate.
  ///
  /// Any thread may call this, unless it holds `queueLock`. A writer that is evaluating the predicate will
  /// serve or remove the waiter, and notify the task.
  ///
  /// - Returns: Whether the waiter was removed, so that no other thread notifies the task.
  borrowing func removeTask(_ waiter: UnsafeMutablePointer<Waiter>) -> Bool {
    var isRemoved = false
    queueLock.withLock {
      guard unsafe waiter.pointee.isQueued, unsafe !waiter.pointee.isServed else { return }
      if unsafe waiter.pointee.isExamined {
        unsafe waiter.pointee.isLeaving = true
      } else {
        unsafe remove(waiter)
        isRemoved = true
      }
    }
    return isRemoved
  }

  /// Removes the waiter of a served task; must be called outside of sections of this protector.
  borrowing func removeServedTask(_ waiter: UnsafeMutablePointer<Waiter>) {
    queueLock.withLock { unsafe remove(waiter) }
  }

  // MARK: The list

  /// Removes a waiter from the queue, if it is there.
  ///
  /// The caller must have the right to change the queue (see "Guard" in the header of `WaitQueue`).
  private borrowing func remove(_ waiter: UnsafeMutablePointer<Waiter>) {
    guard unsafe waiter.pointee.isQueued else { return }
    unsafe unlink(waiter)
    unsafe waiter.pointee.isQueued = false
    if unsafe waiter.pointee.isCancellable { _ = cancellableCount.subtractReleasing(1) }
  }

  private borrowing func linkLast(_ waiter: UnsafeMutablePointer<Waiter>) {
    willUseQueue()
    guard let first = unsafe first.load(.relaxed) else { return unsafe linkFirst(waiter) }
    let last = unsafe first.pointee.previous!
    unsafe last.pointee.next = waiter
    unsafe waiter.pointee.previous = last
    unsafe waiter.pointee.next = nil
    unsafe first.pointee.previous = waiter
  }

  private borrowing func linkFirst(_ waiter: UnsafeMutablePointer<Waiter>) {
    willUseQueue()
    let second = unsafe first.load(.relaxed)
    unsafe waiter.pointee.next = second
    if let second = unsafe second {
      unsafe waiter.pointee.previous = second.pointee.previous
      unsafe second.pointee.previous = waiter
    } else {
      unsafe waiter.pointee.previous = waiter
    }
    unsafe first.store(waiter, .relaxed)
  }

  private borrowing func unlink(_ waiter: UnsafeMutablePointer<Waiter>) {
    willUseQueue()
    let next = unsafe waiter.pointee.next
    let previous = unsafe waiter.pointee.previous!
    let oldFirst = unsafe first.load(.relaxed)
    let newFirst = unsafe waiter == oldFirst ? next : oldFirst
    if unsafe waiter == oldFirst {
      unsafe first.store(next, .relaxed)
    } else {
      unsafe previous.pointee.next = next
    }
    // The links `previous` form a cycle: the first waiter's `previous` is the last waiter.
    if let follower = unsafe next ?? newFirst { unsafe follower.pointee.previous = previous }
  }
}

// MARK: Slow paths beside inlined fast paths

@c
@usableFromInline
func interlock_protector_serve(_ key: UInt, _ value: UInt) -> UInt {
  // Sound: `value` is the address that was passed to `serve`, and the caller of `serve` is still in its
  // section.
  borrow(WaitQueue.self, at: key) { unsafe $0.serveSlow(UnsafeRawPointer(bitPattern: value)!).bits }
}

@c
@usableFromInline
func interlock_protector_wake(_ served: UInt, _: UInt) -> UInt {
  ServedWaiters(bits: served).wakeSlow()
  return 0
}
