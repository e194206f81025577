#if Exploration
  import Exploration
  import Protectors
  import ReadWriteLocks
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
          protector.withLock(waitingUntil: { $0 == 1 }, timeout: .seconds(1)) { $0 += 1 }
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
          protector.withReadLock(waitingUntil: { $0 == 1 }, timeout: .seconds(1)) { $0 }
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
          protector.withLock(waitingUntil: { $0 == 1 }, timeout: .seconds(1)) { $0 += 1 }
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
          protector.withLock(waitingUntil: { $0 == 1 }, timeout: .seconds(1)) { _ in }
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
  }
#endif
