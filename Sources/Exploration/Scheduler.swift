#if Exploration
  internal import PlatformLocks
  internal import Runtime

  /// One execution: its threads, of which one runs at a time, and all that they have done.
  ///
  /// The threads are threads of the system, which pass a baton. A thread that reaches an operation chooses,
  /// with the strategy, who makes the next step. It goes on at once when that is itself; otherwise it hands
  /// the baton on and waits. So everything here is touched only by the thread that has the baton.
  final class Scheduler: @unchecked Sendable {
    // Sendable: the baton is handed on with a release and taken with an acquire (`ExecutionThread.turn`).

    /// The most steps of an execution, which might last for ever.
    let stepLimit: Int
    /// For the stacks of the steps; `nil` when nobody will see them.
    let images: ImageMap?
    var strategy: any Strategy
    private(set) var threads: [ExecutionThread] = []
    var memory = ExploredMemory()
    private(set) var trace: [Step] = []
    private(set) var choices: [Int] = []
    private(set) var failure: ExplorationFailure.Kind?
    /// The rest was explored before: the threads run to their ends, and nobody looks.
    private(set) var isRedundant = false
    private var isOver: Bool { isRedundant || failure != nil }
    private var stepCount = 0
    private var clock: UInt64 = 0
    private var queueNumbers: [UInt: Int] = [:]
    private var cellNumbers: [UInt: Int] = [:]
    private var cellCount = 0
    /// The threads that sleep on an address, in their order.
    private var sleepers: [UInt: [ExecutionThread]] = [:]
    private var checksAtEnd: [() -> String?] = []
    private let pool: ThreadPool

    /// Set when the last thread has ended, or when the execution was abandoned.
    private let isFinished = LockWord()
    /// Threads were left waiting in the middle of the test's code, for ever.
    private(set) var isAbandoned = false

    init(_ strategy: any Strategy, on pool: ThreadPool, stepLimit: Int, images: ImageMap?) {
      self.strategy = strategy
      self.pool = pool
      self.stepLimit = stepLimit
      self.images = images
    }

    /// Runs `body` as the first thread, and returns when all threads have ended.
    func run(_ body: @escaping @Sendable () -> Void) {
      let first = start(body)
      choose(after: first)?.turn.grant()
      while isFinished.loadAcquiring() == 0 { isFinished.wait(while: 0) }
    }

    /// Makes a thread, which makes its first step when it is chosen.
    @discardableResult
    func start(_ body: @escaping @Sendable () -> Void) -> ExecutionThread {
      let thread = ExecutionThread(threads.count, self)
      threads.append(thread)
      memory.threads.append(ExploredMemory.ThreadState())
      if thread.id > 0, let parent = running {
        memory.didAccess(parent.id)
        memory.threads[thread.id].current = memory.threads[parent.id].current
        strategy.didSynchronize(thread.id, with: parent.id)
      }
      pool.run(number: thread.id) { thread.run(body) }
      return thread
    }

    /// The thread that has the baton.
    private(set) var running: ExecutionThread?

    // MARK: Choosing

    /// The calling thread, which has the baton, is about to do what its `pending` says; returns when it was
    /// chosen for it.
    func reach(_ thread: ExecutionThread) {
      guard let next = choose(after: thread) else { abandon(thread) }
      if next === thread { return }
      next.turn.grant()
      thread.turn.wait()
      running = thread
    }

    /// The calling thread has ended.
    func end(_ thread: ExecutionThread) {
      guard threads.contains(where: { !$0.hasEnded }) else { return finish() }
      guard let next = choose(after: thread) else { return abandonRest() }
      next.turn.grant()
    }

    private func choose(after thread: ExecutionThread) -> ExecutionThread? {
      var rounds = 0
      while true {
        let enabled = threads.filter(isEnabled)
        if enabled.isEmpty {
          // Those that spin may look once more, and then sleep.
          let spinning = threads.filter { $0.isWaitingForChange && !$0.mayLookAgain }
          if spinning.isEmpty || rounds > 0 {
            fail(isDeadlock ? .deadlock : .livelock)
            return nil
          }
          rounds += 1
          idleRounds += 1
          if idleRounds > 64 {
            fail(.livelock)
            return nil
          }
          for thread in spinning { thread.mayLookAgain = true }
          // A thread that spins may have a deadline: an hour passes, after it has looked often enough to wait
          // in earnest.
          if idleRounds.isMultiple(of: 4) { clock += 3_600_000_000_000 }
          continue
        }
        if stepCount >= stepLimit {
          fail(.tooLong(steps: stepCount))
          return nil
        }
        if isOver {
          // Taking turns, so that threads which spin don't keep others from going on.
          return enabled.first { $0.id > thread.id } ?? enabled[0]
        }
        let point = SchedulingPoint(
          step: stepCount, enabled: enabled.map(\.id), current: thread.id, next: threads.map(footprint))
        guard let chosen = strategy.chooseThread(point) else {
          isRedundant = true
          continue
        }
        guard point.enabled.contains(chosen) else {
          fail(.notDeterministic)
          return nil
        }
        choices.append(chosen)
        return threads[chosen]
      }
    }

    /// How often all threads span in vain, since the last change of a word.
    private var idleRounds = 0

    private var isDeadlock: Bool {
      threads.contains { thread in
        switch thread.pending {
        case .sleeping, .join: !thread.hasEnded
        default: false
        }
      }
    }

    private func isEnabled(_ thread: ExecutionThread) -> Bool {
      if thread.hasEnded { return false }
      switch thread.pending {
      case .sleeping(_, let deadline):
        // Another timeout without a change in between would show nothing new.
        return deadline != .never && (thread.mayLookAgain || !thread.hasTimedOut || hasChanged(since: thread))
      case .join(let other): return threads[other].hasEnded
      case .spinning: return thread.mayLookAgain || hasChanged(since: thread)
      default: return true
      }
    }

    /// Whether a thread that spins may find something new: another one has changed a word since it looked.
    private func hasChanged(since thread: ExecutionThread) -> Bool {
      thread.hasReadOldValue || threads.contains { $0 !== thread && $0.lastChange > thread.lastLook }
    }

    // MARK: Objects
    // Numbers that differ for words, queues, cells, and the clock.

    private static let clockObject = 1
    private static let fenceObject = 2

    private func footprint(_ thread: ExecutionThread) -> Footprint {
      if thread.hasEnded { return .local }
      switch thread.pending {
      case .operation(let operation, let word):
        if operation.kind == .fence {
          return Footprint(object: Self.fenceObject, writes: true)
        }
        // Whether a compare-exchange succeeds is known: what changes that depends on it.
        let writes =
          operation.kind == .compareExchange
          ? memory.latest(word: word).value == operation.expected : operation.kind != .load
        let isConsistent = operation.ordering == .sequentiallyConsistent
        return Footprint(
          object: 4 + 2 * word, writes: writes, other: isConsistent ? Self.fenceObject : 0)
      case .sleep(let queue, let word, let expected):
        let sleeps = memory.latest(word: word).value == expected
        return Footprint(object: 4 + 2 * word, other: sleeps ? queue : 0, writesOther: sleeps)
      case .wake(let queue): return Footprint(object: queue, writes: true)
      case .sleeping(let queue, let deadline):
        return deadline == .never
          ? .local : Footprint(object: queue, writes: true, other: Self.clockObject, writesOther: true)
      case .clock: return Footprint(object: Self.clockObject)
      case .start, .join, .spinning, .wakeUp: return .local
      }
    }

    func word(at address: UInt, isWide: Bool) -> Int { memory.number(at: address, isWide: isWide) }

    func queue(at address: UInt) -> Int {
      if let number = queueNumbers[address] { return number }
      let number = 5 + 2 * queueNumbers.count
      queueNumbers[address] = number
      return number
    }

    // MARK: Steps

    /// Counts a step of the thread that was chosen, and tells the strategy what it touches.
    private func beginStep(_ thread: ExecutionThread) {
      running = thread
      memory.didAccess(thread.id)
      if !isOver { strategy.didStep(stepCount, thread: thread.id, footprint(thread)) }
      stepCount += 1
    }

    func note(_ thread: ExecutionThread, _ action: Step.Action) {
      guard failure == nil else { return }
      trace.append(Step(thread: thread.id, action: action, stack: images.flatMap(Places.capture)))
    }

    private func didChange(_ thread: ExecutionThread) {
      thread.lastChange = stepCount
      idleRounds = 0
    }

    func started(_ thread: ExecutionThread) {
      beginStep(thread)
      note(thread, .starts)
    }

    func perform(_ operation: ExploredOperation, word: Int, _ thread: ExecutionThread) -> UInt64 {
      beginStep(thread)
      let count = memory.choices(operation, word: word, thread: thread.id)
      var choice = 0
      if count > 1, !isOver {
        choice = strategy.chooseValue(count: count)
        choices.append(choice)
      }
      let (value, writer) = memory.perform(
        operation, word: word, thread: thread.id, step: trace.count, choice: choice)
      thread.lastLook = stepCount
      thread.hasReadOldValue = choice > 0
      thread.mayLookAgain = false
      let isChange =
        operation.kind != .load && (operation.kind != .compareExchange || value == operation.expected)
      if isChange { didChange(thread) }
      note(thread, .operation(operation, word: word, read: value, writer: writer))
      return value
    }

    /// Puts the thread to sleep if the word has the expected value; whether it has.
    func sleep(
      _ thread: ExecutionThread, at address: UInt, word: Int, expected: UInt64, until deadline: Deadline
    )
      -> Bool
    {
      beginStep(thread)
      let (value, writer) = memory.latest(word: word)
      note(thread, .sleeps(word: word, expected: expected, found: value, writer: writer))
      guard value == expected else { return false }
      sleepers[address, default: []].append(thread)
      thread.pending = .sleeping(queue: queue(at: address), deadline)
      return true
    }

    /// The sleep has ended: by a wake-up, or because the thread was chosen although nobody woke it.
    func wakeUp(_ thread: ExecutionThread, at address: UInt) -> LockWord.WaitOutcome {
      beginStep(thread)
      if case .sleeping(_, let deadline) = thread.pending {
        sleepers[address]?.removeAll { $0 === thread }
        clock = max(clock, deadline.nanoseconds)
        thread.hasTimedOut = true
        thread.mayLookAgain = false
        thread.lastLook = stepCount
        note(thread, .timesOut)
        return .timedOut
      }
      note(thread, .wakesUp)
      return .woken
    }

    func wake(_ thread: ExecutionThread, at address: UInt, count: Int) -> Int {
      beginStep(thread)
      var woken: [Int] = []
      while woken.count < count, let sleeper = sleepers[address]?.first {
        sleepers[address]!.removeFirst()
        if case .sleeping(_, let deadline) = sleeper.pending, deadline != .never, !isOver {
          strategy.didPreventTimeout(sleeper.id, in: stepCount - 1)
        }
        sleeper.pending = .wakeUp
        strategy.didSynchronize(sleeper.id, with: thread.id)
        woken.append(sleeper.id)
      }
      if !woken.isEmpty { didChange(thread) }
      note(thread, .wakes(woken))
      return woken.count
    }

    func readClock(_ thread: ExecutionThread) -> UInt64 {
      beginStep(thread)
      note(thread, .looksAtClock(clock))
      return clock
    }

    func spin(_ thread: ExecutionThread) {
      beginStep(thread)
      thread.mayLookAgain = false
      note(thread, .spins)
    }

    func join(_ thread: ExecutionThread, _ other: ExecutionThread) {
      beginStep(thread)
      memory.threads[thread.id].current.join(memory.threads[other.id].current)
      strategy.didSynchronize(thread.id, with: other.id)
      note(thread, .joins(other.id))
    }

    func ended(_ thread: ExecutionThread) {
      note(thread, .ends)
      memory.didAccess(thread.id)
      thread.hasEnded = true
      didChange(thread)
    }

    func access(_ thread: ExecutionThread, _ address: UInt, writes: Bool) {
      let cell = cellNumbers[address] ?? cellCount
      if cell == cellCount { cellCount += 1 }
      cellNumbers[address] = cell
      let step = trace.count
      note(thread, writes ? .writes(cell: cell) : .reads(cell: cell))
      if let other = memory.access(address, writes: writes, thread: thread.id, step: step) {
        fail(.race(step, other))
      }
    }

    /// The word or cell at an address is gone.
    func forget(_ address: UInt) {
      memory.forget(address)
      cellNumbers[address] = nil
    }

    // MARK: Ends

    func fail(_ failure: ExplorationFailure.Kind) {
      guard self.failure == nil else { return }
      self.failure = failure
    }

    /// Adds a check for the end of the execution; it returns what is wrong.
    func atEnd(_ check: @escaping () -> String?) { checksAtEnd.append(check) }

    private func finish() {
      for check in checksAtEnd {
        if let message = check() { fail(.expectation(message)) }
      }
      isFinished.signal()
    }

    /// Leaves all threads where they are, for ever: the calling one, too.
    func abandon(_ thread: ExecutionThread) -> Never {
      abandonRest()
      // Nobody grants it another turn.
      while true { thread.turn.wait() }
    }

    private func abandonRest() {
      isAbandoned = true
      isFinished.signal()
    }
  }

  extension LockWord {
    /// Sets a word that another thread waits for, for good.
    func signal() {
      _ = exchangeReleasing(1)
      wake(count: .max)
    }
  }
#endif
