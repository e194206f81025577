#if Exploration
  internal import InterlockCore

  /// A thread of an execution, with the operation that it is about to perform.
  final class ExecutionThread: ExploredThread, @unchecked Sendable {
    // `ExecutionThread` is `@unchecked Sendable`, which is sound: only the thread that has the baton (the
    // right to run) uses the objects of an execution (see `Scheduler`).

    enum Pending {
      case start
      case operation(ExploredOperation, word: Int)
      case sleep(queue: Int, word: Int, expected: UInt64, Deadline)
      case sleeping(queue: Int, Deadline)
      case wakeUp
      case wake(queue: Int)
      case join(Int)
      case clock
      case spinning(Deadline)
      /// A task or a worker is about to run its next job.
      case job
      /// A task is about to enter an actor; `actor` is 0 for a custom executor of the test.
      case enter(actor: UInt)
      /// A task has left an actor, and is about to go on without one.
      case leave
      /// The thread is about to run the next job of an actor's queue, or to go on after a cancellation
      /// handler of another thread.
      case nextJob
      /// The thread is about to read what other threads change without a step.
      case observation
      /// The thread waits for the mutex at this address, which another thread holds.
      case mutex(UInt)
      /// A task that has nothing to run.
      case suspended
    }

    enum Kind {
      case thread, task
      /// Runs jobs that belong to no task: the end of a `Task.sleep`, the expiry of a deadline, and an
      /// actor's queue.
      case worker
    }

    let id: Int
    let kind: Kind
    /// The `ThreadIdentity` of the system thread that runs the thread; 0 before it has begun.
    private(set) var identity: UInt32 = 0
    /// The turn of the system thread that runs the thread: granted for the first time when the thread starts.
    let turn: Turn
    /// The closure that a thread of kind `thread` runs; `nil` after the thread has begun it.
    var body: (@Sendable () -> Void)?
    // Sound: a scheduler outlives the uses by its threads (see `close`). A checked reference would be a step of its own
    // (see `Pending.observation`).
    private unowned(unsafe) let owner: Scheduler
    var scheduler: Scheduler { unsafe owner }

    var hasProcessBarrier: Bool { !scheduler.hidesProcessBarrier }
    var usesWholeTables: Bool { scheduler.usesWholeTables }
    var pending = Pending.start
    var hasEnded = false
    /// Whether another thread has joined the thread.
    var isJoined = false
    /// The last step in which the thread changed something that others may wait for; -1 if there was none.
    ///
    /// For example, it changed an atomic word, woke a thread, or ended.
    var lastChange = -1
    /// The last step in which the thread read an atomic word or timed out; -1 if there was none.
    var lastCheck = -1
    var hasReadOldValue = false
    /// Whether the thread may check its word or its deadline again although no other thread has changed a
    /// word.
    ///
    /// The scheduler sets this property when no thread can make a step.
    var mayCheckAgain = false
    /// Whether the thread may contend for the lock that it is about to acquire although the lock is not free.
    ///
    /// The scheduler sets this property when no thread can make a step.
    var mayContend = false
    /// For each queue, the last step in which the thread's sleep in that queue timed out.
    var timeouts: [Int: Int] = [:]
    /// The number of spurious wake-ups that the thread has had.
    var spuriousWakeUps = 0

    /// The jobs that the thread has yet to run, in the order in which they were enqueued.
    var jobs: [ExploredJob] = []
    /// The job that the thread runs.
    var job: ExploredJob?
    /// The address of the task whose jobs the thread runs; 0 if it has begun none.
    var task: UInt = 0
    /// The number of jobs that the runtime has started since `Scheduler.beginJob` last ran for the thread.
    ///
    /// An actor's queue counts as a job, and so does each job in the queue.
    var startedJobs = 0
    /// The scheduler's `stepCount` when the runtime last started a job on the thread.
    var stepOfJob = 0
    /// The scheduler's `stepCount` when the thread last found a task that is not cancelled, started a thread or enqueued
    /// a job; -1 before that.
    var stepOfCheck = -1
    /// The actor that the thread runs on; 0 if there is none.
    var actor: UInt = 0
    /// Whether the thread's task is about to hop to the main actor, and the runtime has not enqueued the job
    /// for the hop yet.
    var isEnteringMainActor = false
    /// The scheduler's `stepCount` when the thread last resumed from `Task.yield` or `Task.sleep`, or when a
    /// deadline of its task last expired; `nil` before that.
    var lastPoll: Int?
    /// The nesting depth of the calls of `cancel` and `cancelAll` that the thread is in; 0 outside of them.
    ///
    /// While it is positive, other threads run only if this thread can't make a step.
    var undivided = 0
    /// Whether the thread runs a task of `Execution.task(mayBeCancelled:_:)` that has not ended.
    ///
    /// The execution fails with a deadlock if it ends before such a task does.
    var mustEnd = false

    /// Whether the thread of a task must end, because the execution is over.
    var isClosing = false

    /// Whether the thread has ended, or is suspended and has no job.
    ///
    /// The execution ends when all threads are at rest.
    var isAtRest: Bool {
      if case .suspended = pending { return true }
      return hasEnded
    }

    /// Whether the thread waits for another thread's change, but can go on even if none comes, because it
    /// spins, yields, or sleeps with a deadline.
    var isWaitingForChange: Bool {
      switch pending {
      case .spinning: !hasEnded
      case .job: jobs[0].isPoll
      case .sleeping(_, let deadline): !hasEnded && deadline != .never
      default: false
      }
    }

    init(_ id: Int, _ kind: Kind, _ turn: Turn, _ scheduler: Scheduler) {
      self.id = id
      self.kind = kind
      self.turn = turn
      unsafe owner = scheduler
    }

    /// Runs the thread from its start to its end, on a system thread of the pool.
    func run() {
      prepare()
      let threads = ExploredThreads(self)
      scheduler.started(self)
      ExploredThreads.setCurrent(threads)
      // Takes the closure out of `body`, so that its captures are released before the thread stops being
      // explored.
      body.take()?()
      ExploredThreads.setCurrent(nil)
      withExtendedLifetime(threads) {}
      scheduler.ended(self)
      scheduler.end(self)
    }

    /// Must be called by the system thread that runs the thread, before anything else.
    func prepare() {
      identity = ThreadIdentity.current
      ThreadRecord.resetForExploration()
    }

    /// Announces the operation `pending`, waits until this thread is chosen for it, and then runs `step`;
    /// returns the result of `step`.
    func reach<R>(_ pending: @autoclosure () -> Pending, _ step: () -> R) -> R {
      inExplorer {
        self.pending = pending()
        scheduler.reach(self)
        let result = step()
        if scheduler.hasUndividedThread, undivided == 0, scheduler.isUndividedThreadReady {
          // Another thread is inside a cancellation handler, during which the runtime holds a lock. That
          // thread goes on first, because the calling thread might block on the lock.
          self.pending = .nextJob
          scheduler.reach(self)
          scheduler.startNextJob(self)
        }
        return result
      }
    }

    /// Runs `body` as code of the explorer, whose atomic operations are not steps of the execution; returns
    /// the result of `body`.
    func inExplorer<R>(_ body: () -> R) -> R {
      let threads = ExploredThreads.suspend()
      defer { ExploredThreads.resume(threads) }
      return body()
    }

    func perform(_ operation: ExploredOperation) -> UInt64 {
      var word = 0
      func pending() -> Pending {
        word = operation.isFence ? 0 : scheduler.word(at: operation.address, isWide: operation.isWide)
        return .operation(operation, word: word)
      }
      return reach(pending()) { scheduler.perform(operation, word: word, self) }
    }

    func wait(at address: UInt, while expected: UInt32, until deadline: Deadline) -> LockWord.WaitOutcome {
      var word = 0
      func pending() -> Pending {
        word = scheduler.word(at: address, isWide: false)
        return .sleep(
          queue: scheduler.queue(at: address), word: word, expected: UInt64(expected), deadline)
      }
      return reach(pending()) {
        guard scheduler.sleep(self, at: address, word: word, expected: UInt64(expected), until: deadline)
        else {
          return .notWaited
        }
        scheduler.reach(self)
        return scheduler.wakeUp(self, at: address)
      }
    }

    func wake(at address: UInt, count: Int32) -> Int {
      reach(.wake(queue: scheduler.queue(at: address))) {
        scheduler.wake(self, at: address, count: Int(count))
      }
    }

    func spin(until deadline: Deadline) {
      reach(.spinning(deadline)) { scheduler.spin(self, until: deadline) }
    }

    func now() -> UInt64 {
      reach(.clock) { scheduler.readClock(self) }
    }

    func access(at address: UInt, writes: Bool) {
      inExplorer { scheduler.access(self, address, writes: writes) }
    }

    func number(of address: UInt) -> UInt {
      inExplorer { scheduler.number(of: address) }
    }

    func forgetWord(at address: UInt) {
      inExplorer { scheduler.forget(address) }
    }

    func startThread(_ body: @escaping @Sendable () -> Void) -> Int { start(body).id }

    func joinThread(_ number: Int) { join(scheduler.threads[number]) }

    func performConcurrently(_ count: Int, _ body: @Sendable (Int) -> Void) {
      withoutActuallyEscaping(body) { body in
        let others = (1..<count).map { number in start { body(number) } }
        body(0)
        for other in others { join(other) }
      }
    }

    func schedule(_ timer: AnyObject, at deadline: Deadline, _ expire: @escaping () -> Void) {
      inExplorer { scheduler.enqueue(timer, at: deadline, by: self, expire) }
    }

    func cancel(_ timer: AnyObject) {
      inExplorer { scheduler.cancel(timer) }
    }

    func note(_ event: ExploredLock.Event, _ lock: ExploredLock) {
      scheduler.note(self, .lock(event, lock))
    }

    func noteWait(for primitive: Primitive?, isOfTask: Bool) {
      scheduler.note(self, .waits(for: primitive, isOfTask: isOfTask))
    }

    func noteEndOfWait() { scheduler.note(self, .endsWait) }

    func noteOfProgram(at address: UInt) { scheduler.noteOfProgram(address) }

    func trap(_ sentence: String) -> Never {
      ExploredThreads.setCurrent(nil)
      scheduler.fail(.trap(sentence))
      scheduler.abandon(self)
    }

    // MARK: For the test's code

    func join(_ other: ExecutionThread) {
      reach(.join(other.id)) { scheduler.join(self, other) }
    }

    func start(_ body: @escaping @Sendable () -> Void) -> ExecutionThread {
      inExplorer { scheduler.start(body) }
    }

    func fail(_ message: String) {
      inExplorer {
        scheduler.note(self, .expects(message))
        scheduler.fail(.expectation(message))
      }
    }

    func atEnd(_ check: @escaping () -> String?) {
      inExplorer { scheduler.atEnd(check) }
    }
  }

  /// A thread's turn to run, which the thread waits for and another thread grants.
  final class Turn: Sendable {
    private let word = LockWord()

    private static var granted: UInt32 { 1 }
    /// The thread sleeps, or is about to.
    private static var awaited: UInt32 { 2 }

    func grant() {
      if word.exchangeReleasing(Self.granted) == Self.awaited { word.wake(count: 1) }
    }

    func wait() {
      while !word.compareExchangeAcquiring(expected: Self.granted, desired: 0).exchanged {
        _ = word.compareExchangeRelaxed(expected: 0, desired: Self.awaited)
        word.wait(while: Self.awaited)
      }
    }
  }

  /// System threads, which successive executions reuse to run their threads.
  ///
  /// `@unchecked Sendable` is sound: only the thread that has the baton (the right to run) changes `workers`.
  final class ThreadPool: @unchecked Sendable {
    private var workers: [Worker] = []

    /// The turn of the worker with the given number; makes the worker if needed.
    func turn(ofWorker number: Int) -> Turn {
      while workers.count <= number { workers.append(Worker()) }
      return workers[number].turn
    }

    /// Lets the worker with the given number, which must exist, run `body` when its turn is granted.
    ///
    /// Waits until the worker has finished its earlier work.
    func setWork(ofWorker number: Int, _ body: @escaping () -> Void) {
      workers[number].setWork(body)
    }

    /// Makes each system thread exit, after waiting for its current work to end.
    ///
    /// The pool must not be used afterwards.
    func end() {
      for worker in workers {
        worker.setWork(nil)
        worker.turn.grant()
      }
    }

    // `@unchecked Sendable` is sound: `idle` and `turn` hand `body` back and forth between the worker and the
    // thread that assigns its work. Only one of the two accesses `body` at a time.
    private final class Worker: @unchecked Sendable {
      private var body: (() -> Void)?
      let turn = Turn()
      private let idle = Turn()

      init() {
        idle.grant()
        PlatformThread {
          while self.runNext() {}
        }
        .detach()
      }

      func setWork(_ body: (() -> Void)?) {
        idle.wait()
        self.body = body
      }

      private func runNext() -> Bool {
        turn.wait()
        guard let body else { return false }
        self.body = nil
        body()
        idle.grant()
        return true
      }
    }
  }
#endif
