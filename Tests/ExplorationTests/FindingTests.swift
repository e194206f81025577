#if Exploration
  import AtomicProperties
  @testable import Exploration
  import Lifecycles
  import InterlockCore
  import InterlockWaits
  import Protectors
  import ReadWriteLocks
  import Synchronization
  import TestSupport
  import Testing
  import UnfairLocks

  /// Tests that explorations find deliberate mistakes, and what their reports say.
  @Suite struct FindingTests {
    final class Pair: Sendable {
      let lock = UnfairLock()
      let other = UnfairLock()
      let cell = ExploredCell(0)
      let word = LockWord()
    }

    static let inverted: @Sendable (Execution) -> Void = { run in
      let pair = Pair()
      run.inThreads(
        { pair.lock.withLock { pair.other.withLock {} } },
        { pair.other.withLock { pair.lock.withLock {} } })
    }

    static let lostUpdate: @Sendable (Execution) -> Void = { run in
      let pair = Pair()
      let add: @Sendable () -> Void = { pair.word.storeRelaxed(pair.word.loadRelaxed() + 1) }
      run.inThreads(add, add)
      run.expect(pair.word.loadRelaxed() == 2, "an update was lost")
    }

    static let strategies: [ExplorationStrategy] = [
      .exhaustive(), .exhaustive(preemptions: 1), .random(executions: 1_000), .priorities(executions: 1_000),
    ]

    @Test(arguments: strategies)
    func locksInOppositeOrdersDeadlock(strategy: ExplorationStrategy) throws {
      let failure = try failure(strategy, Self.inverted)
      #expect(failure.reason.hasPrefix("Deadlock: T0 waits for the end of T1;"))
      #expect(failure.reason.contains("T1 waits for UnfairLock (made at FindingTests.swift:"))
    }

    @Test(arguments: strategies)
    func anUpdateIsLost(strategy: ExplorationStrategy) throws {
      let failure = try failure(strategy, Self.lostUpdate)
      #expect(failure.reason == "Expectation: an update was lost.")
    }

    @Test func aFailureIsReplayed() throws {
      let found = try failure(.exhaustive(), Self.lostUpdate)
      let again = try failure(.replay(found.replay), Self.lostUpdate)
      #expect(again.steps == found.steps)
      #expect(again.executions == 1)
    }

    @Test func aFailureFoundAtRandomIsShownWithFewPreemptions() throws {
      let exhaustive = try failure(.exhaustive(preemptions: 1), Self.inverted)
      let random = try failure(.random(executions: 1_000, seed: 7), Self.inverted)
      #expect(random.steps.count <= exhaustive.steps.count)
    }

    @Test func stepsNameTheLineOfTheToolkitAndOfTheTest() throws {
      let failure = try failure(.exhaustive(), limits: ExplorationLimits(), Self.inverted)
      let text = failure.steps.joined(separator: "\n")
      #expect(text.contains("at UnfairLockCore+Linux.swift:"))
      #if DEBUG
        #expect(text.contains("← FindingTests.swift:"))
      #else
        // A step in a report names a line of the package and a line of the test. In a release build, a step
        // in an inlined function names only the line of the test.
        #expect(text.contains("at FindingTests.swift:"))
      #endif
    }

    /// Returns a body with two threads that each add to a number in a critical section of a spin lock.
    ///
    /// `isOrdered` says whether the lock has the memory orderings that it needs.
    private static func spinning(isOrdered: Bool) -> @Sendable (Execution) -> Void {
      { run in
        let pair = Pair()
        let exchange: @Sendable (UInt32, UInt32) -> Bool = { expected, desired in
          if !isOrdered {
            pair.word.compareExchangeRelaxed(expected: expected, desired: desired).exchanged
          } else if desired == 1 {
            pair.word.compareExchangeAcquiring(expected: expected, desired: desired).exchanged
          } else {
            pair.word.compareExchangeReleasing(expected: expected, desired: desired).exchanged
          }
        }
        let section: @Sendable () -> Void = {
          while !exchange(0, 1) { Backoff.yieldUntilChange() }
          pair.cell.value += 1
          _ = exchange(1, 0)
        }
        run.inThreads(section, section)
        run.expect(pair.cell.value == 2)
      }
    }

    /// The lock excludes other threads, but without acquire and release ordering the changes of one critical
    /// section need not be visible in the next.
    @Test func aLockWithoutOrderingRaces() throws {
      let failure = try failure(.exhaustive(), Self.spinning(isOrdered: false))
      #expect(failure.reason.hasPrefix("Data race: step"))
    }

    @Test func aSearchThatALimitEndsSaysSo() throws {
      let body = Self.spinning(isOrdered: true)
      let whole = try explore(.exhaustive(), body)
      #expect(whole.isExhaustive && !whole.reachedLimit)
      let exact = try explore(.exhaustive(), limits: ExplorationLimits(executions: whole.executions), body)
      #expect(exact.isExhaustive && !exact.reachedLimit)
      // A random choice in the last step of a thread is not noticed.
      #expect(exact.description.contains(" exhaustive if the body makes no random choices"))
      var limits = ExplorationLimits(executions: whole.executions - 1, acceptsUnfinishedSearch: true)
      let part = try explore(.exhaustive(), limits: limits, body)
      #expect(!part.isExhaustive && part.reachedLimit)
      #expect(part.description.hasSuffix("not exhaustive: stopped at a limit"))
      // Without a look at the summary, an unfinished search does not pass.
      limits.acceptsUnfinishedSearch = false
      for strategy in [.automatic, .exhaustive(), .exhaustive(preemptions: 3)] as [ExplorationStrategy] {
        let failure = try failure(strategy, limits: limits, body)
        #expect(failure.reason.hasPrefix("Unfinished: a limit ended the search, which has found nothing: "))
        #expect(failure.description == failure.reason && failure.executions == limits.executions)
      }
    }

    @Test func aWakeUpThatComesTooEarlyIsLost() throws {
      let failure = try failure { run in
        let pair = Pair()
        let sleeper = run.thread {
          // The mistake: the thread checks the value of one load, but sleeps while the word has the value of
          // a second load.
          if pair.word.loadAcquiring() == 0 {
            pair.other.withLock {}; pair.word.wait(while: pair.word.loadRelaxed())
          }
        }
        pair.word.storeRelaxed(1)
        pair.word.wake(count: 1)
        sleeper.join()
      }
      #expect(failure.reason.contains("T1 sleeps and nobody will wake it"))
    }

    /// A thread that polls may give up although another thread is about to change the word.
    @Test func aDeadlineThatPassesWhileOthersCanGoOnIsFound() throws {
      let failure = try failure { run in
        let pair = Pair()
        let deadline = Deadline(after: .seconds(1))
        let poller = run.thread {
          while pair.word.loadRelaxed() == 0, !deadline.hasPassed {
            Backoff.yieldUntilChange(until: deadline)
          }
          _ = pair.word.compareExchangeRelaxed(expected: 0, desired: 2)
        }
        run.expect(pair.word.loadRelaxed() == 0, "it gives up")
        pair.word.storeRelaxed(1)
        poller.join()
      }
      #expect(failure.reason == "Expectation: it gives up.")
    }

    /// A client's lock can't tell the explorer the deadline until which it polls.
    @Test func aPollWithoutADeadlineIsLateWhenNoThreadCanGoOn() throws {
      let summary = try explore { run in
        let pair = Pair()
        let deadline = Deadline(after: .seconds(1))
        let poll: @Sendable () -> Void = {
          while pair.word.loadRelaxed() == 0, !deadline.hasPassed { spinLoopHint() }
        }
        run.inThreads(poll, poll)
      }
      #expect(summary.isExhaustive)
    }

    @Test func threadsThatSpinForEverAreFound() throws {
      let failure = try failure { run in
        let pair = Pair()
        let spinner = run.thread { while pair.word.loadAcquiring() == 0 { Backoff.yieldUntilChange() } }
        spinner.join()
      }
      #expect(failure.reason == "Livelock: all threads that are left spin forever.")
    }

    @Test func anExecutionWithoutAnEndIsFound() throws {
      let failure = try failure(limits: ExplorationLimits(steps: 100, namesLines: false)) { run in
        let pair = Pair()
        while true { pair.word.storeRelaxed(pair.word.loadRelaxed() + 1) }
      }
      #expect(failure.reason == "No end: the execution has made 100 steps.")
    }

    @Test func aTrapIsAFailure() throws {
      let failure = try failure { run in
        let pair = Pair()
        pair.lock.withLock { pair.lock.withLock {} }
      }
      #expect(failure.reason.hasPrefix("Trap: UnfairLock: "))
    }

    @Test func anErrorIsAFailure() throws {
      struct Refused: Error {}
      #expect(try failure { _ in throw Refused() }.reason == "Expectation: the body threw Refused().")
      let inThread = try failure { run in run.thread { throw Refused() }.join() }
      #expect(inThread.reason == "Expectation: a thread threw Refused().")
    }

    @Test func whatIsNotFreedIsFound() throws {
      let kept = Monitor<[Pair]>([])
      let failure = try failure { run in
        let pair = Pair()
        run.expectFreed(pair)
        kept.enter { $0.append(pair) }
      }
      #expect(failure.reason == "Expectation: Pair was not freed.")
      try explore { run in run.expectFreed(Pair()) }
    }

    @Test func aTimedWaitEndsBothWays() throws {
      let outcomes = try results("a timed wait") { run in
        let pair = Pair()
        let waiter = run.thread { !timesOut { try pair.lock.withLock(timeout: .seconds(1)) {} } }
        pair.lock.withLock {}
        return waiter.join()
      }
      #expect(outcomes == [true, false])
    }

    /// The words of a test in which one thread sleeps with a deadline, and another thread stores two numbers
    /// and then wakes the sleeping thread.
    final class Sleep: Sendable {
      let word = LockWord()
      let first = LockWord()
      let second = LockWord()
      private let sleepers = LockWord()
      private let deadline = Timeout(.seconds(1), for: Primitive(.unfairLock)).deadlineFromNow()

      func sleep() -> LockWord.WaitOutcome {
        sleepers.addReleasing(1)
        return word.wait(while: 0, until: deadline)
      }

      /// Stores the two numbers, and wakes the sleeping thread.
      ///
      /// Returns whether `sleep` was called before the first number was stored.
      func wake() -> Bool {
        // Additions read the latest values.
        let sleepers = sleepers.addReleasing(0)
        first.storeRelaxed(1)
        second.storeRelaxed(1)
        word.storeRelaxed(1)
        word.wake(count: 1)
        return sleepers == 1
      }
    }

    static let wokenSleep: @Sendable (Execution) -> Void = { run in
      let sleep = Sleep()
      let sleeper = run.thread { sleep.sleep() }
      let waker = run.thread { sleep.wake() }
      run.expect(sleeper.join() != .woken, "the sleep ends by a wake-up")
      waker.join()
    }

    static let timeoutBetweenStores: @Sendable (Execution) -> Void = { run in
      let sleep = Sleep()
      let sleeper = run.thread {
        _ = sleep.sleep()
        return sleep.first.addReleasing(0) == 1 && sleep.second.addReleasing(0) == 0
      }
      let waker = run.thread { sleep.wake() }
      let isBetween = sleeper.join()
      run.expect(!(waker.join() && isBetween), "the sleep times out between two stores")
    }

    @Test(arguments: [(0, wokenSleep), (1, timeoutBetweenStores)])
    func aThreadThatSleepsWithADeadlineIsNotPreempted(
      preemptions: Int, body: @escaping @Sendable (Execution) -> Void
    ) throws {
      let failure = try failure(.exhaustive(preemptions: preemptions), body)
      #expect(failure.reason.hasPrefix("Expectation: the sleep "))
      if preemptions > 0 {
        #expect(try explore(by: ExhaustiveStrategy(preemptions: preemptions - 1), body).isExhaustive)
      }
    }

    @Test(arguments: strategies)
    func sleepsTimeOutInARow(strategy: ExplorationStrategy) throws {
      let failure = try failure(strategy) { run in
        let sleep = Sleep()
        let other = Sleep()
        let sleeper = run.thread {
          _ = (sleep.sleep(), other.sleep())
          sleep.first.storeRelaxed(1)
        }
        run.expect(sleep.first.loadRelaxed() == 0, "both sleeps have timed out")
        sleeper.join()
      }
      #expect(failure.reason == "Expectation: both sleeps have timed out.")
    }

    @Test func aBodyThatDependsOnMoreThanItsScheduleIsFound() throws {
      let count = Monitor(0)
      let failure = try failure { run in
        let pair = Pair()
        let isOdd = count.enter { count in
          count += 1
          return count % 2 == 1
        }
        guard isOdd else { return }
        let one = run.thread { pair.word.addReleasing(1) }
        pair.word.addReleasing(1)
        one.join()
      }
      #expect(failure.reason.hasPrefix("Not deterministic"))
    }

    @Test func explorationsOfTwoThreadsDontDisturbEachOther() {
      race(threads: 2) { _ in
        let result = Result {
          try explore(.exhaustive(preemptions: 1)) { run in
            let guarded = Guarded(BiasedReadWriteLock(bias: .slots))
            let writer = run.thread { guarded.lock.withWriteLock { guarded.cell.value += 1 } }
            guarded.lock.withReadLock { _ = guarded.cell.value }
            writer.join()
          }
        }
        #expect(throws: Never.self) { try result.get() }
      }
    }

    @Test func primitivesWorkOutsideOfExplorations() {
      let protector = Protector(0)
      race(threads: 4) { _ in
        for _ in 0..<1_000 { protector.withWriteLock { $0 += 1 } }
      }
      #expect(protector.withReadLock { $0 } == 4_000)
    }

    /// An exploration must give its own threads an empty `SlotTable` of two slots, and leave the slots of
    /// other threads alone.
    @Test func threadsOutsideOfExplorationsKeepTheirSlots() throws {
      let slots = SlotTable.readers.count
      #expect(slots == 4 * Processors.count)
      let outer = UnsafeMutablePointer<BiasedReadWriteLock>.allocate(capacity: 1)
      outer.initialize(to: BiasedReadWriteLock(bias: .slots))
      try outer.pointee.withReadLock {
        // Other tests take slots and vacate them meanwhile.
        #expect(BiasedReadWriteLock.slotCount(ofLockAt: outer) == 1)
        try explore { run in
          run.expect(
            SlotTable.readers.count == 2 && SlotTable.readers.takenCount == 0, "an empty table of two slots")
        }
        #expect(BiasedReadWriteLock.slotCount(ofLockAt: outer) == 1)
      }
      outer.deinitialize(count: 1)
      outer.deallocate()
    }

    @Test(arguments: [2, 3]) func aSpinLockOfTheProgramIsExplored(threads: Int) throws {
      let summary = try explore(.exhaustive(preemptions: threads == 2 ? nil : 1)) { run in
        let isLocked = LockFreeProperty(false)
        let cell = ExploredCell(0)
        let add: @Sendable () -> Void = {
          while isLocked.exchange(true, ordering: .acquiring) { spinLoopHint() }
          cell.value += 1
          isLocked.store(false, ordering: .releasing)
        }
        let all = (0..<threads).map { _ in run.thread(add) }
        for thread in all { thread.join() }
        run.expect(cell.value == threads)
      }
      #expect(summary.isExhaustive)
    }

    /// The search must find a schedule in which both exchanges of thread `two` find the lock taken.
    ///
    /// It needs two preemptions of thread `one`: after an exchange, thread `two` spins until thread `one` has
    /// changed a word, and a change of `number` suffices.
    @Test func aSpinThatGivesUpIsExplored() throws {
      let hasGivenUp = Monitor(false)
      // The public `explore` would begin with random executions, which could find this schedule by chance.
      let summary = try explore(by: ExhaustiveStrategy(preemptions: 2), limits: ExplorationLimits()) { run in
        let isLocked = LockFreeProperty(false)
        let number = LockFreeProperty(0)
        let other = LockFreeProperty(0)
        let one = run.thread {
          isLocked.store(true, ordering: .relaxed)
          number.store(1, ordering: .relaxed)
          number.store(2, ordering: .relaxed)
          isLocked.store(false, ordering: .relaxed)
        }
        let two = run.thread {
          for _ in 0..<2 {
            // Without this load, thread `two` could give up in the rest of a redundant execution, which the
            // search does not choose. The test would then prove nothing.
            _ = other.load(ordering: .relaxed)
            if !isLocked.exchange(true, ordering: .acquiring) { return true }
            spinLoopHint()
          }
          return false
        }
        one.join()
        if !two.join() { hasGivenUp.enter { $0 = true } }
      }
      #expect(summary.isExhaustive && hasGivenUp.enter { $0 })
    }

    /// Two threads race on an `Atomic` of the standard library, which the explorer does not see.
    ///
    /// The exploration must report that nothing was explored.
    @Test func threadsThatShareNothingExploredAreAFailure() throws {
      let nothing =
        "Nothing explored: no thread used a primitive or an ExploredCell that another thread used too."
      let share: @Sendable (Execution) -> Void = { run in
        let number = Shared()
        let own = LockFreeProperty(0)
        run.inThreads(
          {
            number.add()
            own.wrappingAdd(1, ordering: .relaxed)
          },
          { number.add() })
        run.expect(own.value == 1)
      }
      for strategy in Self.strategies { #expect(try failure(strategy, share).reason == nothing) }
      // An exploration in which nothing is shared passes if the body starts no thread, or if it starts tasks.
      // The order of tasks is explored in any case.
      try explore { run in run.expect(LockFreeProperty(1).value == 1) }
      try explore { run in
        let number = Shared()
        run.task { number.add() }.join()
      }
    }

    private final class Shared: Sendable {
      private let number = Atomic(0)

      func add() { number.store(number.load(ordering: .relaxed) + 1, ordering: .relaxed) }
    }

    @Test(
      arguments: [
        (nil, "explore: given a replay that none of its failures has; pass the text of `replay` whole"),
        (-1, "explore: given -1 preemptions; pass 0 or more, or nil for no bound"),
      ] as [(Int?, String)])
    func aStrategyThatIsNoneTraps(preemptions: Int?, message: String) async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        [preemptions = preemptions as Int?] in
        _ = try? explore(preemptions.map { .exhaustive(preemptions: $0) } ?? .replay("x")) { _ in }
      }
      #expect(result?.standardErrorContent.trap == message)
    }

    /// One critical section finds the array not empty, and a later one reads its first element.
    ///
    /// The read traps if the other thread has removed the element meanwhile.
    static let outOfRange: @Sendable (Execution) -> Void = { run in
      let elements = ExclusiveProtector([1])
      let remover = run.thread { elements.withLock { $0.removeAll() } }
      if elements.withLock({ !$0.isEmpty }) { _ = elements.withLock { $0[0] } }
      remover.join()
    }

    @Test func aTrapOfSwiftIsReplayed() throws {
      let found = try failure(.exhaustive(), Self.outOfRange)
      #expect(found.reason == "Trap: the code under test trapped, with a message above.")
      let again = try failure(.replay(found.replay), Self.outOfRange)
      // A replay runs on new threads.
      #expect(again.reason == found.reason && again.replay == found.replay)
      #expect(again.steps == found.steps)
    }

    /// The words have addresses of waiters and of tasks, and numbers of threads, beside flags.
    @Test func aReplayHasTheSameSteps() throws {
      let body: @Sendable (Execution) -> Void = { run in
        let value = Protector(0)
        let task = run.task { _ = try? await value.withWriteLock(waitingUntil: { $0 > 1 }) { _ in } }
        let thread = run.thread { value.withWriteLock(waitingUntil: { $0 > 0 }) { _ in } }
        value.withWriteLock { $0 = 1 }
        thread.join()
        task.join()
      }
      let found = try failure(.exhaustive(preemptions: 0), body)
      // Other objects are in the way of those of the replay.
      let kept = (0..<100).map { _ in Protector(0) }
      let again = try withExtendedLifetime(kept) { try failure(.replay(found.replay), body) }
      #expect(again.steps == found.steps)
      #expect(found.steps.contains { $0.contains("exchanges for p") }, "\(found.steps)")
      #expect(found.steps.contains { $0.contains("exchanges for 0x80000000+T") })
    }
  }
#endif
