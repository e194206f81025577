public import InterlockCore
internal import InterlockWaits
internal import UnfairLocks

/// The queue of threads and tasks that wait for a predicate on the value of one protector.
///
/// # Why
/// With a condition variable, users must signal, and check again in a loop. Here the end of each write section finds
/// the predicates that have become true. If no thread waits, that costs one load.
///
/// # Algorithm
/// A thread or task that finds its predicate false in a write section appends a `Waiter` to the queue, in that
/// section, and sleeps or suspends after it. At the end of each write section, still under the lock, the writer
/// evaluates queued predicates and *serves* waiters (`serve`): all readers whose predicates hold, one writing thread,
/// unless one is on its way to the lock, and one writing task, unless one is. It notifies them after the unlock. Each
/// acquires the lock and checks its predicate again: another may have been faster. Served in vain, a writer returns
/// to the front (`queueAgain`). Waiters of one `WaitCondition` share a place and an evaluation (`WaitGroup`).
///
/// # States of a waiter
/// - *Queued*: in a list. Its thread, or whoever cancels its task, may remove it (`withdraw`).
/// - *Examined*: queued, or served and watched, while a writer evaluates its predicate. In its next step the writer
///   serves a queued one, leaves it in the queue, or removes it if it is leaving; it notifies one that is leaving.
/// - *Served*: in no list. A writer is `servedThread` or `servedTask` until it runs its body or gives up in a section
///   (`endWait`), waits again (`queueAgain`), or, a thread only, gives up outside of sections (`passOn`, which serves the
///   next one unevaluated). One that slept, or was overtaken, is *watched*: each write section examines it again.
///
/// # Guard
/// A thread in a write section changes the queue and the waiters in steps (`inOneStep`). Who gives up is in no
/// section, and changes them under the lock of `WaitState`. A step holds it only if `cancellableCount` is not 0: the
/// number of waiters that can give up (observers, too), queued ones and served threads. It grows only in write
/// sections, so a writer that finds 0 has the queue to itself. Who gives up looks at its own waiter first: one that
/// is not counted gives no right to the queue. That lock covers no predicate or wake-up. `servedTask`, its
/// `overtakings`, `round` and the results of `WaitGroup`s change in write sections only.
///
/// # Invariants
/// 1. A waiter is appended in the write section in which its predicate was false, or `overtakeIfPermitted` was.
/// 2. When a write section releases the lock, each queued waiter's predicate is false, or the waiter is a
///    thread (a task) that writes and some thread (some task) is served.
/// 3. A served writer calls `serve` in its write section, or is a thread and calls `passOn`.
/// 4. A served waiter, and an examined one that is leaving, is notified once for each sleep, by the thread that last
///    changed it. That thread does not use the waiter afterwards. The waiter is freed or reused only after
///    that, or after its removal. Writers use that of the served thread until its service ends: in a section, or
///    in `passOn`, which waits for the end of an examination.
/// 5. A thread for which the lock is reserved (`isPromised`) acquires it. It can't give up.
///
/// # Why no wake-up is lost, and memory ordering
/// By 1 no write comes between "the predicate is false" and "the waiter is queued". A later write section acquires
/// the lock after that, so its relaxed load of `state` sees the queue. By 2 and 3, when no thread or task is in a
/// section or about to enter one, all queued predicates are false. Sleeping and notifying change `Waiter.word` by
/// read-modify-writes, so the later one sees the earlier one. `cancellableCount` is lowered with release, after all
/// else, and read with acquire, so a writer that finds 0 sees the removals. A word becomes `notified` with release
/// and is read with acquire. Other atomics are relaxed: the guard orders them.
///
/// # Fairness, and the deadlocks it permits
/// Among threads whose predicates hold, awake ones are served first, because waking takes long; then the order of
/// arrival decides. A later thread that is served overtakes the first sleeper. A section that makes the watched
/// thread's predicate false overtakes that one; a thread served in vain counts at least one. After 64, a thread is
/// *due*: it counts as awake, and a section that leaves its predicate true reserves the lock for it
/// (`ReservableLock`), once it is served. So a thread behind *k* others is overtaken at most (*k* + 1) × 64 times,
/// not counting what a spinning thread does not see. Other locks can't be reserved: there, only the order among
/// waiting threads is bounded. Among tasks, groups and single waiters take turns. Asynchronous calls whose predicates
/// hold overtake a served task at most 64 times; later ones queue (`overtakeIfPermitted`). While it is queued again,
/// nobody counts. No synchronous call waits for a served task. A wait deadlocks if no write makes its predicate true,
/// if it holds what is needed for that, or if a served task never runs.
// `@unchecked Sendable` is sound: the header says what guards the queue. `@safe`: its pointers lead to
// waiters in the queue, which leave the queue before their memory is freed, and to lists that it owns.
@safe
@usableFromInline
struct WaitQueue: ~Copyable, @unchecked Sendable {
  /// The address of the `WaitLists`, which the first waiter makes, and two flags.
  @usableFromInline
  let state = AtomicWord()

  /// The flag of `state` that says whether `serve` has something to do: a waiter is queued, or the served thread is watched.
  @_alwaysEmitIntoClient
  @_transparent
  static var hasWaiters: UInt64 { 1 }
  /// The flag of `state` that says whether a task is served.
  @_alwaysEmitIntoClient
  static var hasServedTask: UInt64 { 2 }

  @usableFromInline
  init() {}

  deinit {
    unsafe reference?.release()
  }

  @_alwaysEmitIntoClient
  @_transparent
  var isNotEmpty: Bool { state.load(.relaxed) & Self.hasWaiters != 0 }

  // Sound, for each `unsafe` in this type: the calling thread may use the queue and the waiter by the rules
  // of the section "Guard" in the header of `WaitQueue`. A waiter keeps its address while it is in the queue.

  /// The lists and their lock; `nil` before the first wait.
  var waiting: WaitState? { unsafe reference?.takeUnretainedValue() }

  private var reference: Unmanaged<WaitState>? {
    let address = UInt(state.load(.relaxed) & ~(Self.hasWaiters | Self.hasServedTask))
    return unsafe UnsafeRawPointer(bitPattern: address).map { unsafe .fromOpaque($0) }
  }

  /// Runs `step`, which changes the lists, while no other thread can change them.
  ///
  /// The caller must be in a write section. Threads that give up are in no section, so the lock excludes
  /// them.
  private borrowing func inOneStep(_ step: (inout WaitLists) -> Void) {
    // Sound: the queue owns the object. A retain in each step costs a fifth of the hand-offs of eight threads.
    unsafe reference?._withUnsafeGuaranteedRef { waiting in
      if waiting.cancellableCount.loadAcquiring() == 0 {
        change(waiting, step)
      } else {
        waiting.lock.withLock { change(waiting, step) }
      }
    }
  }

  fileprivate borrowing func change(_ waiting: WaitState, _ step: (inout WaitLists) -> Void) {
    unsafe step(&waiting.lists)
    let uncounted = unsafe waiting.lists.uncounted
    unsafe waiting.lists.uncounted = 0
    var bits = UInt64(UInt(bitPattern: ObjectIdentifier(waiting)))
    if unsafe !waiting.lists.isEmpty || isWatched(waiting.lists.servedThread) { bits |= Self.hasWaiters }
    if unsafe waiting.lists.servedTask != nil { bits |= Self.hasServedTask }
    // The count is lowered last, because a writer that finds 0 uses the queue without the lock.
    willUseQueue()
    state.store(bits, .relaxed)
    if uncounted > 0 { _ = waiting.cancellableCount.subtractReleasing(uncounted) }
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
  /// The key is computed from the address of `state`, which is also the address of the queue.
  @_alwaysEmitIntoClient
  @_transparent
  var key: UInt { unsafe withUnsafePointer(to: state) { UInt(bitPattern: $0) &- lockKeyOffset } }

  // MARK: Serving

  /// One of the passes over the lists in which `serve` evaluates predicates.
  private enum Pass: Int {
    /// Considers the thread that is served already, to count who overtakes it.
    case servedThread
    case readers
    /// Considers threads that are awake, and those that are *due* (`Waiter.isDue`).
    case awakeThreads
    /// Considers the threads that the pass before has not examined.
    case sleepingThreads
    case tasks
  }

  /// Chooses (*serves*) waiters whose predicates hold for the value at `value`.
  ///
  /// The caller must be at the end of a write section, and must call `wake()` on the result after the
  /// section.
  ///
  /// - Returns: The served waiters, and waiters that gave up while their predicates were evaluated.
  @_alwaysEmitIntoClient
  @_transparent
  borrowing func serve(_ value: UnsafeRawPointer) -> Waiters {
    let bits = callOutOfLine(interlock_protector_serve, key, UInt(bitPattern: value))
    return Waiters(bits: bits)
  }

  fileprivate borrowing func serveSlow(_ value: UnsafeRawPointer) -> Waiters {
    var toNotify = Waiters()
    var pass = Pass.servedThread
    var round: UInt64 = 0
    var examined: UnsafeMutablePointer<Waiter>?
    inOneStep { lists in
      lists.round += 1
      round = lists.round
      unsafe examined = markNext(from: first(of: pass, lists), &pass, lists)
    }
    while let waiter = unsafe examined {
      let holds = unsafe waiter.pointee.isSatisfied(by: value, in: round)
      inOneStep { lists in
        unsafe waiter.pointee.isBeingExamined = false
        let next = unsafe decide(on: waiter, holds, pass, &lists, &toNotify)
        unsafe examined = markNext(from: next, &pass, lists)
        if unsafe examined == nil { reserveIfDue(lists) }
      }
    }
    return toNotify
  }

  /// Serves a queued waiter whose predicate holds, or removes one that is leaving; returns the next one of the pass.
  // Inlined, as `first` is: calls take a twelfth of the hand-offs of a queue, 4 to 4.
  @inline(__always)
  private borrowing func decide(
    on waiter: UnsafeMutablePointer<Waiter>, _ holds: Bool, _ pass: Pass, _ lists: inout WaitLists,
    _ toNotify: inout Waiters
  ) -> UnsafeMutablePointer<Waiter>? {
    if pass == .servedThread {
      // Its links may be in use: the writer that has served it may not have notified it yet.
      unsafe examineAgain(waiter, holds, &toNotify)
      return nil
    }
    let next = unsafe waiter.pointee.next
    if holds {
      // A waiter whose predicate holds is served even if it is leaving. Its thread or task is notified,
      // and then acquires the lock or calls `passOn`.
      if pass == .awakeThreads { unsafe countOvertaking(by: waiter, lists) }
      unsafe serveWithGroup(waiter, &lists, &toNotify)
      return unsafe pass == .readers ? next : nil
    }
    if unsafe waiter.pointee.isLeaving {
      // Don't notify the waiter here, under the lock: resuming a task may run user code, or wait for a
      // cancellation handler that waits for this lock. It is notified with the served waiters.
      unsafe remove(waiter, &lists)
      unsafe toNotify.append(waiter)
    }
    return unsafe next
  }

  /// Whether the ends of write sections count who overtakes the served thread.
  private borrowing func isWatched(_ thread: UnsafeMutablePointer<Waiter>?) -> Bool {
    guard let thread = unsafe thread else { return false }
    return unsafe thread.pointee.isWatched
  }

  /// Records whether the predicate of the served thread holds.
  private borrowing func examineAgain(
    _ thread: UnsafeMutablePointer<Waiter>, _ holds: Bool, _ toNotify: inout Waiters
  ) {
    if unsafe thread.pointee.held && !holds { unsafe countOvertaking(of: thread) }
    unsafe thread.pointee.held = holds
    guard unsafe thread.pointee.isLeaving else { return }
    // The thread has waited in `passOn` for the end of its examination.
    unsafe thread.pointee.isLeaving = false
    unsafe toNotify.append(thread)
  }

  /// Reserves the lock for the served thread, if its predicate holds now and no other may overtake it any more.
  private borrowing func reserveIfDue(_ lists: WaitLists) {
    guard let thread = unsafe lists.servedThread, unsafe thread.pointee.held && thread.pointee.isDue,
      let lock = unsafe waiting?.reservable
    else { return }
    unsafe thread.pointee.isPromised = true
    lock.reserve()
  }

  /// Marks the next waiter whose predicate is to be evaluated, beginning at `start`, and returns it.
  ///
  /// At the end of a list the next pass begins. At the end of the last pass the result is `nil`.
  private borrowing func markNext(
    from start: UnsafeMutablePointer<Waiter>?, _ pass: inout Pass, _ lists: WaitLists
  ) -> UnsafeMutablePointer<Waiter>? {
    var candidate = unsafe start
    while true {
      while let waiter = unsafe candidate {
        if unsafe isToBeExamined(waiter, pass, lists.round) {
          unsafe waiter.pointee.isBeingExamined = true
          unsafe waiter.pointee.examinedIn = lists.round
          return unsafe waiter
        }
        unsafe candidate = waiter.pointee.next
      }
      guard let next = Pass(rawValue: pass.rawValue + 1) else { return nil }
      pass = next
      unsafe candidate = first(of: pass, lists)
    }
  }

  @inline(__always)
  private borrowing func first(of pass: Pass, _ lists: WaitLists) -> UnsafeMutablePointer<Waiter>? {
    switch pass {
    case .servedThread:
      return unsafe isWatched(lists.servedThread) ? lists.servedThread : nil
    case .readers:
      return unsafe lists[.reader].first
    case .awakeThreads, .sleepingThreads:
      return unsafe lists.servedThread == nil ? lists[.thread].first : nil
    case .tasks:
      return unsafe lists.servedTask == nil ? lists[.task].first : nil
    }
  }

  private borrowing func isToBeExamined(
    _ waiter: UnsafeMutablePointer<Waiter>, _ pass: Pass, _ round: UInt64
  ) -> Bool {
    switch pass {
    case .servedThread, .readers, .tasks: true
    case .awakeThreads: unsafe waiter.pointee.isDue || !waiter.pointee.word.isAsleep
    case .sleepingThreads: unsafe waiter.pointee.examinedIn != round
    }
  }

  /// Adds one to the overtakings of the first sleeping thread that `waiter` overtakes, if there is one.
  ///
  /// The caller must be about to serve `waiter` in `Pass.awakeThreads`. Threads whose predicates have been
  /// found false in this pass are skipped.
  private borrowing func countOvertaking(by waiter: UnsafeMutablePointer<Waiter>, _ lists: WaitLists) {
    var candidate = unsafe lists[.thread].first
    while let other = unsafe candidate, unsafe other != waiter {
      if unsafe other.pointee.examinedIn != lists.round { return unsafe countOvertaking(of: other) }
      unsafe candidate = other.pointee.next
    }
  }

  private borrowing func countOvertaking(of waiter: UnsafeMutablePointer<Waiter>) {
    // Not `+=`, which would access the whole waiter: its thread may be using its `word`.
    if unsafe !waiter.pointee.isDue { unsafe waiter.pointee.overtakings = waiter.pointee.overtakings + 1 }
  }

  /// Serves a waiter, and appends it to `toNotify`; with a reader, all readers of its group.
  ///
  /// The next task of the group then waits behind all others, so that groups and single tasks take turns.
  private borrowing func serveWithGroup(
    _ waiter: UnsafeMutablePointer<Waiter>, _ lists: inout WaitLists, _ toNotify: inout Waiters
  ) {
    let (group, kind) = unsafe (waiter.pointee.group, waiter.pointee.kind)
    var next = unsafe waiter as UnsafeMutablePointer<Waiter>?
    while let waiter = unsafe next {
      unsafe markServed(waiter, &lists)
      unsafe waiter.pointee.held = true
      unsafe toNotify.append(waiter)
      unsafe next = kind == .reader ? group?[kind] : nil
    }
    if kind == .task, let group { lists.moveToEnd(group, kind) }
  }

  /// Takes a waiter from its list; the caller must notify it afterwards, outside the lock.
  private borrowing func markServed(_ waiter: UnsafeMutablePointer<Waiter>, _ lists: inout WaitLists) {
    unsafe waiter.pointee.isLeaving = false
    unsafe waiter.pointee.isServed = true
    unsafe lists.remove(waiter)
    switch unsafe waiter.pointee.kind {
    case .thread:
      // It stays counted, because it may call `passOn` outside of sections.
      unsafe lists.servedThread = waiter
      // A thread that spins arrives soon. To watch it would cost a third of the hand-offs of two threads.
      unsafe waiter.pointee.isWatched = waiter.pointee.word.isAsleep || waiter.pointee.wasOvertaken
    case .task:
      unsafe lists.servedTask = waiter
      lists.uncounted += 1
    case .reader:
      if unsafe waiter.pointee.isCancellable { lists.uncounted += 1 }
    }
  }

  // MARK: Coming and going, in write sections

  /// Appends a waiter to the queue.
  ///
  /// The caller must be in a write section (see invariant 1 of `WaitQueue`).
  ///
  /// - Parameters:
  ///   - waiter: The waiter, which must be in no queue.
  ///   - lock: The protector's lock; `nil` if it can't be reserved, or if the waiter is not that of a thread that writes.
  @usableFromInline
  borrowing func append(_ waiter: UnsafeMutablePointer<Waiter>, reserving lock: ReservableLock? = nil) {
    if waiting == nil {
      let waiting = unsafe Unmanaged.passRetained(WaitState(queue: key)).toOpaque()
      state.store(UInt64(UInt(bitPattern: waiting)), .relaxed)
    }
    if let lock, let waiting, unsafe waiting.reservable == nil { unsafe waiting.reservable = lock }
    // Counted first, so that the step excludes a timer that is late and looks at this waiter.
    if unsafe waiter.pointee.isCancellable { waiting?.cancellableCount.addReleasing(1) }
    inOneStep { lists in unsafe lists.append(waiter) }
  }

  /// Ends the wait of the calling thread or task: removes its waiter, or the mark that it is served.
  ///
  /// The caller must be in a write section. It must have found its predicate true in this section, or must be
  /// giving up. If the waiter was served, the caller must then call `serve`.
  @usableFromInline
  borrowing func endWait(_ waiter: UnsafeMutablePointer<Waiter>) {
    inOneStep { lists in
      if unsafe waiter.pointee.isQueued {
        unsafe remove(waiter, &lists)
      } else if unsafe endService(of: waiter, &lists), unsafe waiter.pointee.isCancellable {
        lists.uncounted += 1
      }
    }
  }

  /// Prepares the waiter of the calling thread or task for a wait, and puts it into the queue.
  ///
  /// The caller must be in a write section. The waiter must not be in the queue. A writer that was served
  /// returns to the front, with its group, and must then call `serve`; others are appended.
  @usableFromInline
  borrowing func queueAgain(_ waiter: UnsafeMutablePointer<Waiter>) {
    unsafe waiter.pointee.rearm()
    let isTask = unsafe waiter.pointee.kind == .task && waiter.pointee.isServed
    if isTask { waiting?.cancellableCount.addReleasing(1) }
    var isFirst = false
    inOneStep { lists in
      unsafe waiter.pointee.isLeaving = false
      unsafe waiter.pointee.isPromised = false
      let isThread = unsafe endService(of: waiter, &lists)
      unsafe waiter.pointee.isServed = false
      isFirst = isThread || isTask
      // If nobody has counted who has overtaken it, at least one has.
      if unsafe isThread && waiter.pointee.held { unsafe countOvertaking(of: waiter) }
      unsafe waiter.pointee.held = false
      if isFirst { unsafe lists.prepend(waiter) }
    }
    if !isFirst { unsafe append(waiter) }
  }

  /// Removes the mark that a writer is served.
  ///
  /// - Returns: Whether the waiter is a thread that was served, so that it is counted still.
  private borrowing func endService(of waiter: UnsafeMutablePointer<Waiter>, _ lists: inout WaitLists) -> Bool
  {
    if unsafe lists.servedTask == waiter { unsafe lists.servedTask = nil }
    guard unsafe lists.servedThread == waiter else { return false }
    unsafe lists.servedThread = nil
    return true
  }

  /// Whether a task whose predicate holds may go ahead of a task that was served and has yet to arrive.
  ///
  /// The calling task must be in a write section, without having been served. If the result is `true`, the
  /// call counts as an overtaking. If not, the task must wait.
  @_alwaysEmitIntoClient
  @inline(__always)
  borrowing func overtakeIfPermitted() -> Bool {
    state.load(.relaxed) & Self.hasServedTask == 0 || overtakeServedTaskIfPermitted()
  }

  @usableFromInline
  @inline(never)
  borrowing func overtakeServedTaskIfPermitted() -> Bool {
    guard let first = unsafe waiting?.lists.servedTask else { return true }
    if unsafe first.pointee.isDue { return false }
    unsafe countOvertaking(of: first)
    return true
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
    if unsafe waiting!.withdraw(waiter) { return true }
    unsafe waiter.pointee.word.sleepUntilNotified()
    // Reading `isServed` needs no lock, because no other thread uses the waiter after the notification.
    return unsafe !waiter.pointee.isServed
  }

  /// Serves the next waiting thread instead of the calling one, which could not acquire the lock in time.
  ///
  /// The caller must hold no lock of this protector.
  ///
  /// - Returns: Whether the calling thread has given up. If not, the lock is reserved for it, and it must acquire the
  ///   lock: no other thread can.
  @usableFromInline
  borrowing func passOn(_ waiter: UnsafeMutablePointer<Waiter>) -> Bool {
    // A waiter that was not served is counted no more, so a writer may use the queue without the lock.
    guard unsafe waiter.pointee.isServed, let waiting else { return true }
    while true {
      var end = EndOfService.promised
      waiting.lock.withLock { unsafe end = serveNext(insteadOf: waiter, in: waiting) }
      switch end {
      case .promised: return false
      case .examined: unsafe waiter.pointee.word.sleepUntilNotified()
      case .ended(let next):
        if let next = unsafe next { unsafe Waiter.notify(next) }
        return true
      }
    }
  }

  /// `@safe`: the pointer leads to a waiter that was served and has yet to be notified, and so keeps its address.
  @safe
  private enum EndOfService {
    /// That thread, if there is one, is served instead; the caller must notify it.
    case ended(UnsafeMutablePointer<Waiter>?)
    /// The lock is reserved for the thread, which is still served.
    case promised
    /// A writer is evaluating the thread's predicate, and will notify the thread.
    case examined
  }

  private borrowing func serveNext(
    insteadOf waiter: UnsafeMutablePointer<Waiter>, in waiting: WaitState
  ) -> EndOfService {
    if unsafe waiter.pointee.isPromised { return .promised }
    if unsafe waiter.pointee.isBeingExamined {
      unsafe waiter.pointee.isLeaving = true
      unsafe waiter.pointee.word.willSleepAgain()
      return .examined
    }
    var first: UnsafeMutablePointer<Waiter>?
    change(waiting) { lists in
      guard unsafe endService(of: waiter, &lists) else { return }
      if unsafe waiter.pointee.isCancellable { lists.uncounted += 1 }
      unsafe first = lists[.thread].first
      guard let first = unsafe first else { return }
      unsafe markServed(first, &lists)
      // Nobody has evaluated its predicate.
      unsafe first.pointee.held = false
    }
    return unsafe .ended(first)
  }

  fileprivate borrowing func remove(_ waiter: UnsafeMutablePointer<Waiter>, _ lists: inout WaitLists) {
    unsafe lists.remove(waiter)
    if unsafe waiter.pointee.isCancellable { lists.uncounted += 1 }
  }
}

/// The lists of a protector's waiters, and their lock.
///
/// It is an object apart from the protector, for a timer that expires a deadline after the wait has ended.
// `@unchecked Sendable` is sound: the header of `WaitQueue` says what guards the lists.
final class WaitState: @unchecked Sendable {
  /// The number of waiters that can give up: those of threads with a deadline, and those of all queued tasks.
  let cancellableCount = LockWord()
  /// Excludes waiters that give up from the thread in a write section that uses the queue.
  let lock = UnfairLock()
  // Sound: the dynamic exclusivity check would repeat what the header of `WaitQueue` ensures.
  @exclusivity(unchecked)
  nonisolated(unsafe) var lists = WaitLists()
  /// The protector's lock, if it can be reserved; set by the first thread that waits to write.
  // Sound: set once, in a section, before the thread is queued that uses it outside of sections.
  @exclusivity(unchecked)
  nonisolated(unsafe) var reservable: ReservableLock?
  private let queue: UInt

  init(queue: UInt) {
    self.queue = queue
  }

  /// Removes a waiter, unless a writer has served it or is evaluating its predicate.
  ///
  /// Any thread may call this, unless it holds `lock`. A writer that is evaluating the predicate will serve or
  /// remove the waiter, and notify it.
  ///
  /// - Parameters:
  ///   - waiter: The waiter.
  ///   - reason: Why a task gives up, if no writer serves it before it leaves.
  /// - Returns: Whether the waiter was removed, so that no other thread notifies it.
  func withdraw(
    _ waiter: UnsafeMutablePointer<Waiter>, giving reason: TaskWaiter.Outcome = .timedOut
  ) -> Bool {
    lock.withLock {
      // A waiter that has left the queue is counted no more, so a writer may use the queue without the lock.
      guard unsafe waiter.pointee.isQueued else { return false }
      if unsafe !waiter.pointee.isLeaving { unsafe waiter.pointee.task?.give(reason) }
      if unsafe waiter.pointee.isBeingExamined {
        unsafe waiter.pointee.isLeaving = true
        return false
      }
      // Sound: the call that a queued waiter belongs to keeps the protector alive, and with it the queue.
      borrow(WaitQueue.self, at: queue) { queue in
        queue.change(self) { lists in unsafe queue.remove(waiter, &lists) }
      }
      return true
    }
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
  var served = Waiters(bits: served)
  served.wakeSlow()
  return 0
}
