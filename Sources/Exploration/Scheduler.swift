#if Exploration
  internal import CExploration
  internal import InterlockCore
  internal import Runtime

  /// Runs one execution: chooses which of its threads runs, and records the steps.
  ///
  /// The threads are threads of the system that pass a baton: only the thread with the baton runs. A thread
  /// that reaches an operation asks the strategy which thread makes the next step. If the strategy chooses
  /// another thread, the asking thread hands the baton to that thread and waits. So only the thread that has
  /// the baton accesses this object.
  final class Scheduler: @unchecked Sendable {
    // `Scheduler` is `@unchecked Sendable`, which is sound: only the thread with the baton (the right to run)
    // uses this object. A thread hands the baton on with release ordering, and the next one takes it with
    // acquire ordering (`ExecutionThread.turn`).

    /// The maximum number of steps of the execution.
    ///
    /// An execution with more steps fails, because it might never end.
    private let stepLimit: Int
    /// The maximum number of spurious wake-ups of each thread.
    private let spuriousWakeUps: Int
    private let dividesLocks: Bool
    let hidesProcessBarrier: Bool
    let usesWholeTables: Bool
    private let longestStep: Duration
    /// The program's loaded images, needed to capture the stack of each step; `nil` when no report needs the
    /// stacks.
    let images: ImageMap?
    var strategy: any Strategy
    private(set) var threads: [ExecutionThread] = []
    var memory: ExploredMemory
    private(set) var trace: [Step] = []
    /// The events of threads on locks, and their waits; empty unless the execution runs for a report.
    private(set) var notes: [Note] = []
    private let isForReport: Bool
    /// The addresses of the words and cells that the explored program made itself, outside this package's
    /// primitives; empty unless the execution runs for a report.
    private var ofProgram: Set<UInt> = []
    private(set) var choices: [Int] = []
    private(set) var failure: ExplorationFailure.Kind?
    /// Whether the strategy no longer follows the execution: everything that could come next was explored
    /// before, or belongs to another part of the exploration.
    ///
    /// If so, the threads run to their ends, and the strategy does not record their steps.
    private(set) var isRedundant = false
    var isOver: Bool { isRedundant || failure != nil }
    private(set) var stepCount = 0
    private var clock: UInt64 = 0
    private var queueNumbers: [UInt: Int] = [:]
    private var objectNumbers: [UInt: UInt] = [:]
    private var objectCount: UInt = 0
    private var cellNumbers: [UInt: Int] = [:]
    private var cellCount = 0
    /// For each address, the threads that sleep on it, in the order in which they went to sleep.
    private var sleepers: [UInt: [ExecutionThread]] = [:]
    private var checksAtEnd: [() -> String?] = []
    private let pool: ThreadPool

    // The properties down to `isUndividedThreadReady` serve the execution's tasks (see
    // `Scheduler+Tasks.swift`).

    /// For each task, by the number that the runtime has given it, the thread that runs its jobs.
    var tasks: [UInt64: ExecutionThread] = [:]
    /// For each task that is leaving an actor, by the task's address, the executor that it enters next.
    var switches: [UInt: interlock_task_switch] = [:]
    /// For each runtime object, by its address: the knowledge that a thread gets when it acquires the object.
    // With room, because the first insertion may run under a mutex of the runtime, which makes a type for a thread
    // then, and must not have to make the type of this dictionary's storage.
    var knowledge = [UInt: ExploredMemory.Knowledge](minimumCapacity: 1)
    var actorNumbers: [UInt: Int] = [:]
    var enqueuedJobs = 0
    let poolThreads: Int
    /// Whether other threads were kept from running at some point, because a thread was inside a cancellation
    /// handler.
    private(set) var hasUndividedSteps = false
    /// Whether a task that ran elsewhere has entered an actor: two calls of the actor may have been one step.
    ///
    /// The compiler leaves out the suspension points between two calls of one actor by one task if nothing
    /// between them needs another executor.
    var callsActors = false
    /// Whether a thread has read a reference that does not keep its object alive, while there were others.
    private(set) var readsReferences = false
    var hasUndividedThread = false
    /// Whether a thread that is inside a cancellation handler can make a step now.
    var isUndividedThreadReady: Bool { threads.contains { $0.undivided > 0 && isEnabled($0) } }
    /// Whether two threads used the same word, queue or cell.
    private(set) var sharesSomething = false
    /// For each word (an even number), queue (odd) and cell (negative), the last thread that has used it.
    private var users: [Int: Int] = [:]
    /// The number of steps so far; the thread that waits for the end of the execution reads it to notice a
    /// standstill.
    private let progress = AtomicWord()

    /// Signalled when the last thread has ended, or when the execution was abandoned.
    private let isFinished = LockWord()
    /// The lines that travel, in an execution of `countLines`.
    var traffic: LineTraffic?
    /// Whether threads were left in the middle of the test's code, where they wait forever.
    private(set) var isAbandoned = false

    init(
      _ strategy: any Strategy, on pool: ThreadPool, limits: ExplorationLimits, isForReport: Bool
    ) {
      self.strategy = strategy
      self.pool = pool
      stepLimit = limits.steps
      spuriousWakeUps = limits.spuriousWakeUps
      dividesLocks = limits.dividesLocks
      hidesProcessBarrier = limits.hidesProcessBarrier
      usesWholeTables = limits.usesWholeTables
      longestStep = limits.longestStep
      memory = ExploredMemory(oldReadsPerWord: limits.oldReads)
      poolThreads = limits.poolThreads
      self.isForReport = isForReport
      images = isForReport && limits.namesLines ? .capture() : nil
    }

    /// Runs `body` as the first thread.
    ///
    /// Returns when all threads have ended, or the execution was abandoned.
    func run(_ body: @escaping @Sendable () -> Void) {
      let first = start(body)
      choose(after: first)?.turn.grant()
      var steps: UInt64 = .max
      while isFinished.loadAcquiring() == 0 {
        guard isFinished.wait(while: 0, until: Deadline(after: longestStep)) == .timedOut else {
          continue
        }
        let now = progress.load(.relaxed)
        if now == steps { return failFromOutside() }
        steps = now
      }
    }

    /// Fails the execution because a thread waits for something that the explorer does not control.
    ///
    /// The blocked thread keeps the baton, so the execution is abandoned.
    private func failFromOutside() {
      fail(.blocked)
      isAbandoned = true
    }

    /// Adds a thread that runs `body`.
    ///
    /// The thread makes its first step when the strategy chooses it.
    @discardableResult
    func start(_ body: @escaping @Sendable () -> Void) -> ExecutionThread {
      let thread = add(.thread)
      thread.body = body
      pool.setWork(ofWorker: thread.id) { thread.run() }
      return thread
    }

    /// Adds a thread that runs the jobs of a task, or jobs that belong to no task.
    func startForJobs(_ kind: ExecutionThread.Kind) -> ExecutionThread {
      let thread = add(kind)
      thread.pending = .suspended
      pool.setWork(ofWorker: thread.id) { thread.runJobs() }
      return thread
    }

    private func add(_ kind: ExecutionThread.Kind) -> ExecutionThread {
      // Sets of threads in strategies have 64 bits. `countLines` has its own strategy.
      if threads.count == (traffic == nil ? 64 : 128) {
        running!.trap("an execution has more than 64 threads and tasks")
      }
      let thread = ExecutionThread(threads.count, kind, pool.turn(ofWorker: threads.count), self)
      threads.append(thread)
      memory.threads.append(ExploredMemory.ThreadState())
      if thread.id > 0, let parent = running {
        parent.stepOfCheck = stepCount
        memory.advanceClock(of: parent.id)
        memory.threads[thread.id].current = memory.threads[parent.id].current
        strategy.didSynchronize(thread.id, with: parent.id)
      }
      return thread
    }

    /// The thread that has the baton (the right to run).
    private(set) var running: ExecutionThread?

    // MARK: Choosing

    /// Returns when `thread` is chosen to perform its `pending` operation.
    ///
    /// `thread` must be the calling thread. Until it is chosen, other threads may run. If no thread can be
    /// chosen, the call never returns.
    func reach(_ thread: ExecutionThread) {
      guard let next = choose(after: thread) else { abandon(thread) }
      if next === thread { return }
      next.turn.grant()
      thread.turn.wait()
      running = thread
    }

    /// Hands the baton on after `thread` has ended or has completed a job.
    ///
    /// Finishes the execution if all threads are at rest (see `ExecutionThread.isAtRest`).
    func end(_ thread: ExecutionThread) {
      guard threads.contains(where: { !$0.isAtRest }) else { return finish() }
      guard let next = choose(after: thread) else { return abandonRest() }
      next.turn.grant()
    }

    private func choose(after thread: ExecutionThread) -> ExecutionThread? {
      var rounds = 0
      while true {
        var enabled = threads.indices.filter { isEnabled(threads[$0]) }
        if enabled.count > 1, let undivided = enabled.first(where: { threads[$0].undivided > 0 }) {
          enabled = [undivided]
          hasUndividedSteps = true
        }
        if enabled.isEmpty {
          // The threads that wait for locks go on into the locks' slow paths. There they deadlock, or trap.
          let waiting = threads.filter(waitsForLock)
          for thread in waiting { thread.mayContend = true }
          if !waiting.isEmpty { continue }
          // Every thread waits, so threads that spin may read their words once more, and threads that sleep
          // with a deadline may time out.
          let spinning = threads.filter { $0.isWaitingForChange && !$0.mayCheckAgain }
          if spinning.isEmpty || rounds > 0 {
            if isDeadlock { failForDeadlock() } else { fail(.livelock) }
            return nil
          }
          rounds += 1
          idleRounds += 1
          if idleRounds > 64 {
            fail(.livelock)
            return nil
          }
          for thread in spinning { thread.mayCheckAgain = true }
          // A client's loop can't tell the deadline until which it spins, so the execution's clock advances by
          // an hour every fourth time that all threads wait.
          if idleRounds.isMultiple(of: 4) { clock += 3_600_000_000_000 }
          continue
        }
        if stepCount >= stepLimit {
          fail(.tooLong(steps: stepCount))
          return nil
        }
        if isOver {
          // The strategy no longer chooses, so the threads take turns: a spinning thread must not keep the
          // others from going on.
          let next = enabled.first { $0 > thread.id } ?? enabled[0]
          if failure == nil { choices.append(next) }
          return threads[next]
        }
        let point = SchedulingPoint(
          step: stepCount, enabled: enabled, current: thread.id,
          isCurrentWaiting: thread.isWaitingForChange || thread.isSuspendable || mayWakeUpSpuriously(thread),
          scheduler: self)
        guard let chosen = strategy.chooseThread(point) else {
          isRedundant = true
          continue
        }
        guard enabled.contains(chosen) else {
          fail(.notDeterministic)
          return nil
        }
        choices.append(chosen)
        return threads[chosen]
      }
    }

    /// Whether some thread cannot go on until another thread has changed a word.
    var hasWaiter: Bool {
      threads.contains { $0.isWaitingForChange && !isEnabled($0) || waitsForLock($0) }
    }

    /// The number of times that no thread could make a step, since a thread last changed something that others
    /// may wait for.
    ///
    /// Each time, the scheduler lets waiting threads check again. At more than 64, the execution fails as a
    /// livelock.
    private var idleRounds = 0

    private var isDeadlock: Bool {
      threads.contains { thread in
        switch thread.pending {
        case .sleeping, .join: !thread.hasEnded
        case .enter, .leave, .mutex: true
        case .job: !thread.jobs[0].isPoll
        default: false
        }
      }
    }

    private func isEnabled(_ thread: ExecutionThread) -> Bool {
      if thread.hasEnded { return false }
      switch thread.pending {
      case .sleeping: return mayTimeOut(thread) || mayWakeUpSpuriously(thread)
      case .join(let other):
        return threads[other].kind == .task ? !threads[other].mustEnd : threads[other].hasEnded
      case .suspended, .mutex: return false
      case .job: return mayRun(thread.jobs[0], on: thread)
      case .enter(let actor): return hasThread(for: thread) && mayEnter(actor)
      case .leave: return hasThread(for: thread)
      case .spinning(let deadline):
        return deadline != .never || mayCheckAgain(thread, since: thread.lastCheck)
      case .operation: return !waitsForLock(thread)
      default: return true
      }
    }

    /// Whether the thread is about to acquire a lock that is not free, and is kept from contending for it (see
    /// `ExhaustiveStrategy`).
    private func waitsForLock(_ thread: ExecutionThread) -> Bool {
      guard case .operation(let operation, let word) = thread.pending, mayWait(thread, operation) else {
        return false
      }
      return !thread.hasEnded && memory.latest(word: word).value != operation.expected
    }

    /// Whether the thread is kept from `operation` while that would contend for a lock.
    func mayWait(_ thread: ExecutionThread, _ operation: ExploredOperation) -> Bool {
      operation.waits && !dividesLocks && !thread.mayContend
    }

    /// Whether the thread is asleep and its sleep may time out now.
    ///
    /// A thread that has slept on a word until its deadline may do so again only after another thread has
    /// changed a word, or when no thread can make a step. Otherwise a thread that sleeps in a loop could time
    /// out forever.
    private func mayTimeOut(_ thread: ExecutionThread) -> Bool {
      guard case .sleeping(let queue, let deadline) = thread.pending, deadline != .never else { return false }
      guard let timeout = thread.timeouts[queue] else { return true }
      return mayCheckAgain(thread, since: timeout)
    }

    /// Whether the thread is asleep and may wake up spuriously.
    func mayWakeUpSpuriously(_ thread: ExecutionThread) -> Bool {
      guard case .sleeping = thread.pending else { return false }
      return thread.spuriousWakeUps < spuriousWakeUps
    }

    /// Whether a waiting thread may check again: another thread has changed a word, woken a thread or ended
    /// after the given step; the thread's last load has returned an old value; or no thread could make a step
    /// otherwise.
    ///
    /// - Parameter task: If `thread` expires a deadline, the task that has the deadline: that task's own
    ///   changes do not count. If `nil`, the changes of `thread` itself do not count.
    func mayCheckAgain(_ thread: ExecutionThread, since step: Int, for task: ExecutionThread? = nil) -> Bool {
      thread.mayCheckAgain || thread.hasReadOldValue
        || threads.contains { $0 !== (task ?? thread) && $0.lastChange > step }
    }

    // MARK: Objects

    func word(at address: UInt, isWide: Bool) -> Int { memory.number(at: address, isWide: isWide) }

    /// The number that footprints use for the queue of threads that sleep at `address`: 5, 7, 9 and so on.
    func queue(at address: UInt) -> Int {
      if let number = queueNumbers[address] { return number }
      let number = 5 + 2 * queueNumbers.count
      queueNumbers[address] = number
      return number
    }

    /// The number of the object that has a word at `address`; objects are numbered in the order of first
    /// uses.
    func number(of address: UInt) -> UInt {
      let number = objectNumbers[address] ?? objectCount
      if number == objectCount { objectCount += 1 }
      objectNumbers[address] = number
      return number
    }

    // MARK: Steps

    /// Counts a step of the chosen thread, and passes the step's footprint (the objects that it touches) to
    /// the strategy.
    func beginStep(_ thread: ExecutionThread) {
      running = thread
      memory.advanceClock(of: thread.id)
      if !isOver { strategy.didStep(stepCount, thread: thread.id, footprint(thread)) }
      stepCount += 1
      progress.store(UInt64(stepCount), .relaxed)
    }

    /// Records a step for the report.
    ///
    /// If a task resumes in the step, it resumes at `point`.
    func note(
      _ thread: ExecutionThread, _ action: Step.Action, at address: UInt? = nil,
      resuming point: interlock_resume_point = .init()
    ) {
      guard failure == nil else { return }
      trace.append(
        Step(
          thread: thread.id, action: action,
          isOfProgram: isForReport && address.map(ofProgram.contains) ?? false,
          stack: images.flatMap { SourceLines.capture($0, at: point) }))
    }

    func note(_ thread: ExecutionThread, _ event: Note.Event) {
      guard isForReport, failure == nil else { return }
      notes.append(Note(step: trace.count, thread: thread.id, event: event))
    }

    func noteOfProgram(_ address: UInt) {
      if isForReport { ofProgram.insert(address) }
    }

    /// Notes that a thread uses a word, a queue or a cell, to find out whether threads share anything.
    ///
    /// Uses by the body's thread do not count after it has joined all other threads.
    private func use(_ object: Int, by thread: ExecutionThread) {
      if sharesSomething { return }
      if thread.id == 0, threads.count > 1, threads.dropFirst().allSatisfy(\.isJoined) { return }
      if users[object, default: thread.id] != thread.id { sharesSomething = true }
      users[object] = thread.id
    }

    func didChange(_ thread: ExecutionThread) {
      // If a worker expires a task's deadline, the change counts as made by that task. Otherwise the
      // change would let another deadline of the same task pass.
      (thread.job?.waitingTask ?? thread).lastChange = stepCount
      idleRounds = 0
    }

    func started(_ thread: ExecutionThread) {
      beginStep(thread)
      note(thread, .starts)
    }

    /// Lets the strategy choose one of `count` ways to make a step; returns the index of the way, from 0.
    private func choose(among count: Int) -> Int {
      guard count > 1, failure == nil else { return 0 }
      let choice = isRedundant ? 0 : strategy.chooseValue(count: count)
      choices.append(choice)
      return choice
    }

    func perform(_ operation: ExploredOperation, word: Int, _ thread: ExecutionThread) -> UInt64 {
      beginStep(thread)
      if !operation.isFence {
        use(2 * word, by: thread)
        traffic?.access(operation.address, writes: operation.kind != .load, by: thread.id)
      }
      let choice = choose(among: memory.choices(operation, word: word, thread: thread.id))
      let before = operation.isFence ? 0 : memory.latest(word: word).value
      let (value, writer) = memory.perform(
        operation, word: word, thread: thread.id, step: trace.count, choice: choice)
      thread.lastCheck = stepCount
      thread.hasReadOldValue = choice > 0
      thread.mayCheckAgain = false
      thread.mayContend = false
      // A store that leaves the word's value as it was does not let spinning threads check again.
      if !operation.isFence, memory.latest(word: word).value != before { didChange(thread) }
      note(thread, .operation(operation, word: word, read: value, writer: writer), at: operation.address)
      return value
    }

    /// Puts the thread to sleep if the word has the expected value.
    ///
    /// Returns whether the thread sleeps now.
    func sleep(
      _ thread: ExecutionThread, at address: UInt, word: Int, expected: UInt64, until deadline: Deadline
    )
      -> Bool
    {
      beginStep(thread)
      use(2 * word, by: thread)
      use(queue(at: address), by: thread)
      traffic?.access(address, writes: false, by: thread.id)
      let (value, writer) = memory.latest(word: word)
      note(thread, .sleeps(word: word, expected: expected, found: value, writer: writer))
      guard value == expected else {
        becomeLateOrNot(thread, deadline)
        return false
      }
      sleepers[address, default: []].append(thread)
      thread.pending = .sleeping(queue: queue(at: address), deadline)
      return true
    }

    func passTime(to deadline: Deadline) { clock = max(clock, deadline.nanoseconds) }

    /// Whether `deadline` can still pass: it is not `never`, and the execution's clock has not reached it.
    func mayBecomeLate(_ deadline: Deadline) -> Bool {
      deadline != .never && clock < deadline.nanoseconds
    }

    /// Lets the strategy choose whether `deadline` passes during a wait that ends as `notWaited`, or a poll.
    ///
    /// A real thread can be preempted around such a wait for so long that its deadline passes. With `must`, the
    /// deadline passes unless it has passed before.
    private func becomeLateOrNot(_ thread: ExecutionThread, _ deadline: Deadline, must: Bool = false) {
      guard mayBecomeLate(deadline), must || choose(among: 2) == 1 else { return }
      clock = deadline.nanoseconds
      note(thread, .becomesLate)
    }

    /// Ends the sleep of a thread, and returns how the sleep ended.
    ///
    /// The thread was woken, or the strategy has chosen it although nothing woke it. In the latter case the
    /// strategy also chooses between a timeout and a spurious wake-up.
    func wakeUp(_ thread: ExecutionThread, at address: UInt) -> LockWord.WaitOutcome {
      beginStep(thread)
      if case .sleeping(let queue, let deadline) = thread.pending {
        var outcomes: [LockWord.WaitOutcome] = mayTimeOut(thread) ? [.timedOut] : []
        // The system may report a spurious wake-up as a wake-up by another thread (`woken`), or as an
        // interruption by a signal (`notWaited`).
        if mayWakeUpSpuriously(thread) { outcomes += [.woken, .notWaited] }
        let outcome = outcomes[choose(among: outcomes.count)]
        sleepers[address]?.removeAll { $0 === thread }
        guard outcome == .timedOut else {
          thread.spuriousWakeUps += 1
          note(thread, .wakesUpForNoReason)
          if outcome == .notWaited { becomeLateOrNot(thread, deadline) }
          return outcome
        }
        passTime(to: deadline)
        thread.timeouts[queue] = stepCount
        thread.mayCheckAgain = false
        thread.lastCheck = stepCount
        note(thread, .timesOut)
        return .timedOut
      }
      note(thread, .wakesUp)
      return .woken
    }

    func wake(_ thread: ExecutionThread, at address: UInt, count: Int) -> Int {
      beginStep(thread)
      use(queue(at: address), by: thread)
      var woken: [Int] = []
      while woken.count < count, let asleep = sleepers[address], !asleep.isEmpty {
        // The system may wake any of the threads that sleep on the word.
        let sleeper = asleep[count < asleep.count ? choose(among: asleep.count) : 0]
        sleepers[address]!.removeAll { $0 === sleeper }
        if case .sleeping(_, let deadline) = sleeper.pending,
          deadline != .never || mayWakeUpSpuriously(sleeper), !isOver
        {
          strategy.didPreventTimeout(sleeper.id, in: stepCount - 1)
        }
        sleeper.pending = .wakeUp
        strategy.didSynchronize(sleeper.id, with: thread.id)
        woken.append(sleeper.id)
      }
      traffic?.wake(woken.count, by: thread.id)
      if !woken.isEmpty { didChange(thread) }
      note(thread, .wakes(woken))
      return woken.count
    }

    func observe(_ thread: ExecutionThread, _ observation: Step.Observation) {
      beginStep(thread)
      if threads.count > 1 {
        sharesSomething = true
        if case .reference = observation { readsReferences = true }
      }
      note(thread, .observes(observation))
    }

    func readClock(_ thread: ExecutionThread) -> UInt64 {
      beginStep(thread)
      note(thread, .readsClock(clock))
      return clock
    }

    /// Lets the thread check its word again, or the deadline pass; the strategy chooses if both are possible.
    func spin(_ thread: ExecutionThread, until deadline: Deadline) {
      beginStep(thread)
      let mayCheck = mayCheckAgain(thread, since: thread.lastCheck)
      thread.mayCheckAgain = false
      note(thread, .spins)
      becomeLateOrNot(thread, deadline, must: !mayCheck)
    }

    func join(_ thread: ExecutionThread, _ other: ExecutionThread) {
      beginStep(thread)
      other.isJoined = true
      memory.threads[thread.id].current.join(memory.threads[other.id].current)
      strategy.didSynchronize(thread.id, with: other.id)
      note(thread, .joins(other.id))
    }

    func ended(_ thread: ExecutionThread) {
      note(thread, .ends)
      memory.advanceClock(of: thread.id)
      thread.hasEnded = true
      didChange(thread)
    }

    func access(_ thread: ExecutionThread, _ address: UInt, writes: Bool) {
      traffic?.access(address, writes: writes, by: thread.id)
      let cell = cellNumbers[address] ?? cellCount
      if cell == cellCount { cellCount += 1 }
      cellNumbers[address] = cell
      use(-1 - cell, by: thread)
      let step = trace.count
      note(thread, writes ? .writes(cell: cell) : .reads(cell: cell), at: address)
      if let other = memory.access(address, writes: writes, thread: thread.id, step: step) {
        fail(.race(step, other))
      }
    }

    /// Forgets the word or cell at `address`, so that a later one at the same address counts as new.
    ///
    /// Must be called when the word or cell is deallocated.
    func forget(_ address: UInt) {
      memory.forget(address)
      ofProgram.remove(address)
      cellNumbers[address] = nil
      objectNumbers[address] = nil
    }

    // MARK: Ends

    func fail(_ failure: ExplorationFailure.Kind) {
      guard self.failure == nil else { return }
      self.failure = failure
    }

    private func failForDeadlock() {
      if isForReport { noteSuspensions() }
      fail(.deadlock)
    }

    /// Adds a check to run when all threads have ended; `check` returns the failure's message, or `nil` if it
    /// finds nothing wrong.
    func atEnd(_ check: @escaping () -> String?) { checksAtEnd.append(check) }

    private func finish() {
      if threads.contains(where: \.mustEnd) { failForDeadlock() }
      for thread in threads where thread.kind != .thread { thread.close() }
      ExploredState.end()
      for check in checksAtEnd {
        if let message = check() { fail(.expectation(message)) }
      }
      isFinished.signal()
    }

    /// Ends the execution, and leaves all its threads waiting forever where they are.
    ///
    /// `thread` must be the calling thread, which then waits, too.
    func abandon(_ thread: ExecutionThread) -> Never {
      abandonRest()
      // No other thread lets this one run again (see `Turn`), so the loop never ends.
      while true { thread.turn.wait() }
    }

    private func abandonRest() {
      isAbandoned = true
      isFinished.signal()
    }
  }

  extension LockWord {
    /// Sets the word to 1 and wakes all threads that wait for it.
    func signal() {
      _ = exchangeReleasing(1)
      wake(count: .max)
    }
  }
#endif
