#if Exploration
  import Exploration
  import Protectors
  import ReadWriteLocks
  import TestSupport
  import Testing

  /// Explores threads that wait for values: exhaustively where the search ends in time, otherwise with few
  /// preemptions.
  @Suite(.serialized) struct WaitingScheduleTests {
    private static let bounded = ExplorationStrategy.exhaustive(preemptions: 2)

    @Test func aWriterIsServed() throws {
      try check("ExclusiveProtector, a waiting writer") { run in
        let protector = ExclusiveProtector(0)
        let waiter = run.thread { protector.withLock(waitingUntil: { $0 == 1 }) { $0 += 1 } }
        protector.withLock { $0 = 1 }
        waiter.join()
        run.expect(protector.withLock { $0 } == 2)
      }
    }

    @Test func aWriterIsServedOrTimesOut() throws {
      try check("ExclusiveProtector, a waiting writer with a timeout", Self.bounded, mayEndEarly: true) {
        run in
        let protector = ExclusiveProtector(0)
        let waiter = run.thread {
          !timesOut { try protector.withLock(waitingUntil: { $0 == 1 }, timeout: .seconds(1)) { $0 += 1 } }
        }
        protector.withLock { $0 = 1 }
        let isServed = waiter.join()
        run.expect(protector.withLock { $0 } == (isServed ? 2 : 1))
      }
    }

    @Test func aReaderIsServedOrTimesOut() throws {
      try check("LockProtector, a waiting reader with a timeout", Self.bounded, mayEndEarly: true) { run in
        let protector = LockProtector(0, lock: CompactReadWriteLock())
        let waiter = run.thread {
          unlessTimedOut {
            try protector.withReadLock(waitingUntil: { $0 == 1 }, timeout: .seconds(1)) { $0 }
          }
        }
        protector.withWriteLock { $0 = 1 }
        let value = waiter.join()
        run.expect(value == nil || value == 1)
      }
    }

    @Test func twoWritersAreServed() throws {
      try check("ExclusiveProtector, two waiting writers", .exhaustive(preemptions: 1), mayEndEarly: true) {
        run in
        let protector = ExclusiveProtector(0)
        let waiters = (0..<2).map { _ in
          run.thread { protector.withLock(waitingUntil: { $0 > 0 }) { $0 -= 1 } }
        }
        protector.withLock { $0 = 2 }
        for waiter in waiters { waiter.join() }
        run.expect(protector.withLock { $0 } == 0)
      }
    }

    /// A waiting writer times out while another thread evaluates the writer's predicate.
    ///
    /// The writer must not return before the evaluation has ended.
    @Test func aWriterTimesOutDuringTheEvaluationOfItsPredicate() throws {
      try check("ExclusiveProtector, a timeout during an evaluation", Self.bounded) { run in
        let protector = ExclusiveProtector(0)
        let waiter = run.thread {
          !timesOut { try protector.withLock(waitingUntil: { $0 == 1 }, timeout: .seconds(1)) { $0 += 1 } }
        }
        protector.withLock { $0 = 2 }
        run.expect(!waiter.join())
        // The writer has left the queue, so the end of this section must not notify it.
        protector.withLock { $0 = 1 }
        run.expect(protector.withLock { $0 } == 1)
      }
    }

    /// The end of a write section notifies a waiting writer that can't acquire the lock before its timeout.
    ///
    /// That writer must notify the other waiting writer.
    @Test(arguments: [bounded, .random(executions: 2_000)])
    func aWriterIsServedAlthoughAnotherCantEnterInTime(strategy: ExplorationStrategy) throws {
      try check(
        "ExclusiveProtector, two waiting writers, one can't enter in time", strategy, mayEndEarly: true
      ) { run in
        let protector = ExclusiveProtector(0)
        let timed = run.thread {
          !timesOut { try protector.withLock(waitingUntil: { $0 == 1 }, timeout: .seconds(1)) { _ in } }
        }
        let untimed = run.thread { protector.withLock(waitingUntil: { $0 == 1 }) { _ in } }
        protector.withLock { $0 = 1 }
        protector.withLock { _ in }
        untimed.join()
        _ = timed.join()
      }
    }

    /// A waiting writer is notified, but another write section then makes that writer's predicate false.
    ///
    /// The notified writer must notify the other waiting writer, whose predicate is now true.
    @Test func aWriterIsServedAfterAnotherWasServedInVain() throws {
      try check("ExclusiveProtector, served in vain", .exhaustive(preemptions: 1), mayEndEarly: true) { run in
        let protector = ExclusiveProtector(0)
        let one = run.thread { protector.withLock(waitingUntil: { $0 == 1 }) { $0 = 2 } }
        let two = run.thread { protector.withLock(waitingUntil: { $0 == 2 }) { _ in } }
        protector.withLock { $0 = 1 }
        // If the value is still 1, thread `one` was notified but has not acquired the lock yet. This section
        // then makes the predicate of `one` false again.
        let isFirst = protector.withLock { value in
          let isFirst = value == 1
          value = 2
          return isFirst
        }
        two.join()
        if isFirst { protector.withLock { $0 = 1 } }
        one.join()
      }
    }

    /// A pool: the number of its elements, and how often the first thread has taken one.
    private struct Pool: Sendable {
      var elements = 0
      var takings = 0

      mutating func take() {
        elements -= 1
        takings += 1
      }
    }

    /// A protected pool, as two functions.
    private struct ProtectedPool: Sendable {
      let wait: @Sendable (_ holds: @Sendable (borrowing Pool) -> Bool, _ body: (Pool) -> Void) -> Void
      let write: @Sendable (_ body: @Sendable (inout Pool) -> Void) -> Void

      init<Lock: RawReadWriteLock & ~Copyable>(_ pool: LockProtector<Pool, Lock>, timeout: Duration? = nil) {
        wait = { holds, body in
          if let timeout {
            _ = unlessTimedOut { try pool.withWriteLock(waitingUntil: holds, timeout: timeout) { body($0) } }
          } else {
            pool.withWriteLock(waitingUntil: holds) { body($0) }
          }
        }
        write = { body in pool.withWriteLock { body(&$0) } }
      }

      init(_ pool: ExclusiveProtector<Pool>) {
        wait = { holds, body in pool.withLock(waitingUntil: holds) { body($0) } }
        write = { body in pool.withLock { body(&$0) } }
      }
    }

    /// The first thread gives an element and takes it again, more often than it may overtake the waiting threads.
    ///
    /// In explorations a served thread may be overtaken once, by whatever call. Here the call is a plain section.
    private func overtake(
      _ name: String, _ strategy: ExplorationStrategy, waiters: Int = 1, mayGiveUp: Bool = false,
      _ make: @escaping @Sendable () -> ProtectedPool
    ) throws {
      try check("\(name), overtaken writers: \(waiters)", strategy, mayEndEarly: true) { run in
        let pool = make()
        let threads = (0..<waiters).map { _ in
          run.thread {
            // The number of takings in the section in which the thread finds its predicate false, and queues.
            let beginning = Monitor<Int?>(nil)
            pool.wait { pool in
              if pool.elements > 0 { return true }
              let takings = pool.takings
              beginning.enter { $0 = $0 ?? takings }
              return false
            } _: { pool in
              let overtakings = beginning.enter { $0.map { pool.takings - $0 } ?? 0 }
              // Each thread is overtaken once while it is served, and the second one while it is queued, too.
              // A thread that gives up looks once more, and is served no longer.
              run.expect(mayGiveUp || overtakings <= waiters)
            }
          }
        }
        for _ in 0..<waiters + 2 {
          pool.write { $0.elements += 1 }
          pool.write { $0.take() }
        }
        pool.write { $0.elements += 1 }
        for thread in threads { thread.join() }
      }
    }

    private static let searches: [ExplorationStrategy] = [bounded, .random(executions: 3_000)]

    @Test(arguments: searches, [1, 2])
    func aServedWriterIsOvertakenOnce(strategy: ExplorationStrategy, waiters: Int) throws {
      try overtake("ExclusiveProtector", strategy, waiters: waiters) {
        ProtectedPool(ExclusiveProtector(Pool()))
      }
    }

    @Test(arguments: searches) func aServedWriterOfACompactLockIsOvertakenOnce(strategy: ExplorationStrategy)
      throws
    {
      try overtake("LockProtector", strategy) {
        ProtectedPool(LockProtector(Pool(), lock: CompactReadWriteLock()))
      }
    }

    @Test(arguments: searches) func aServedWriterOfASpinLockIsOvertakenOnce(strategy: ExplorationStrategy)
      throws
    {
      try overtake("spinning LockProtector", strategy) {
        ProtectedPool(LockProtector(Pool(), lock: SpinReadWriteLock()))
      }
    }

    @Test(arguments: searches, [1, 2])
    func aServedWriterOfAProtectorIsOvertakenOnce(strategy: ExplorationStrategy, waiters: Int) throws {
      try overtake("Protector", strategy, waiters: waiters) { ProtectedPool(Protector(Pool())) }
    }

    /// A served thread whose timeout passes hands on its service, or takes what is reserved for it.
    @Test(arguments: searches, [1, 2])
    func aServedWriterArrivesOrTimesOut(strategy: ExplorationStrategy, waiters: Int) throws {
      try overtake("LockProtector with a timeout", strategy, waiters: waiters, mayGiveUp: true) {
        ProtectedPool(LockProtector(Pool(), lock: CompactReadWriteLock()), timeout: .seconds(1))
      }
    }
  }
#endif
