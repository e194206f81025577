#if Exploration && ShippedLayout
  import Exploration
  import ReadWriteLocks
  import Testing

  /// Tests that the counts tell locks and places of words apart whose costs are known.
  @Suite(.serialized) struct ControlLineTests {
    static let scenarios = [
      ticketLock, queueLock, testAndSetLock, countedReaders, countersOnOneLine, countersOnLinesOfTheirOwn,
    ]

    private static let ticketLock = Scenario.threads(
      "control: a release of a ticket lock", orders: [.random(seed: 1)]
    ) { _ in
      let lock = TicketLock()
      return { _ in
        lock.lock()
        countOnly { lock.unlock() }
      }
    }

    @Test func aReleaseOfATicketLockInvalidatesAllThatWait() throws {
      for (processors, cost) in zip([2, 8, 64], try Self.ticketLock.check()) {
        #expect(cost.most(\.invalidations) >= (processors - 1) / 2)
      }
    }

    private static let queueLock = Scenario.threads(
      "control: a release of a queue lock (MCS)", orders: [.random(seed: 1)]
    ) { threads in
      let lock = QueueLock(threads: threads)
      return { thread in
        lock.lock(thread)
        countOnly { lock.unlock(thread) }
      }
    }

    @Test func aReleaseOfAQueueLockInvalidatesFew() throws {
      for cost in try Self.queueLock.check() {
        #expect(cost.most(\.invalidations) <= 3)
        #expect(cost.most(\.transfers) <= 4)
      }
    }

    private static let testAndSetLock = Scenario.threads(
      "control: a section of a test-and-set lock", orders: [.random(seed: 1)]
    ) { _ in
      let lock = TestAndSetLock()
      return { _ in
        lock.lock()
        lock.unlock()
      }
    }

    @Test func waitsForATestAndSetLockHaveNoBound() throws {
      let transfers = try Self.testAndSetLock.check().map { $0.total(\.transfers) / $0.calls.count }
      #expect(transfers[1] > 2 * transfers[0])
      #expect(transfers[2] > 4 * transfers[1])
    }

    private static let countedReaders = Scenario.threads(
      "CompactReadWriteLock, which counts readers: a read"
    ) { _ in
      let lock = Box(CompactReadWriteLock())
      return { _ in lock.value.withReadLock {} }
    }

    @Test func readersThatCountThemselvesConflict() throws {
      for cost in try Self.countedReaders.check() {
        #expect(!cost.isConflictFree)
        #expect(cost.most(\.invalidations) > 0)
      }
    }

    private static let countersOnOneLine = Scenario.threads("control: counters of threads on one line") {
      threads in
      let counters = Counters(count: threads, distance: 8)
      return { thread in counters.increment(thread) }
    }

    private static let countersOnLinesOfTheirOwn = Scenario.threads(
      "control: counters of threads on lines of their own", [.movesNoLine]
    ) { threads in
      let counters = Counters(count: threads, distance: 64)
      return { thread in counters.increment(thread) }
    }

    @Test func countersOfThreadsTravelOnOneLineOnly() throws {
      for cost in try Self.countersOnOneLine.check() {
        #expect(!cost.isConflictFree)
        #expect(cost.total(\.transfers) > 0)
      }
      try Self.countersOnLinesOfTheirOwn.check()
    }
  }
#endif
