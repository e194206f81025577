#if Exploration
  import Exploration
  import InterlockCore
  import LocksUnderTest
  import ReadWriteLocks
  import TestSupport
  import Testing

  /// Explores the locks: exhaustively where the search ends in time, otherwise with few preemptions.
  @Suite(.serialized) struct LockScheduleTests {
    private func sections(
      of candidate: LockUnderTest, readers: Int, writers: Int, sections: Int = 1,
      _ strategy: ExplorationStrategy = .exhaustive(), mayEndEarly: Bool = false
    ) throws {
      let name = "\(candidate), \(readers) readers, \(writers) writers, \(sections) sections"
      try check(name, strategy, mayEndEarly: mayEndEarly, dividesLocks: true) { run in
        let guarded = Guarded(candidate.make())
        let writing = (0..<writers).map { _ in
          run.thread { for _ in 0..<sections { guarded.lock.withWriteLock { guarded.cell.value += 1 } } }
        }
        let reading = (0..<readers).map { _ in
          run.thread { for _ in 0..<sections { guarded.lock.withReadLock { _ = guarded.cell.value } } }
        }
        for thread in writing + reading { thread.join() }
        // All other critical sections have ended, so the lock must admit a writer and then a reader.
        guarded.lock.withWriteLock { guarded.cell.value += 1 }
        let count = guarded.lock.withReadLock { guarded.cell.value }
        run.expect(count == writers * sections + 1, "no section is lost")
      }
    }

    private func checkTimed(
      _ candidate: TimedLockUnderTest, _ name: String, preemptions: Int? = nil,
      _ body: @escaping @Sendable (Execution, Guarded<any RawReadWriteLock>) -> Void
    ) throws {
      try check(
        "\(candidate), \(name)", .exhaustive(preemptions: preemptions), mayEndEarly: preemptions != nil,
        dividesLocks: true
      ) { body($0, Guarded(candidate.make())) }
    }

    // MARK: Exclusive locks

    @Test(arguments: LockUnderTest.exclusive)
    func exclusiveLockWithTwoSectionsEach(candidate: LockUnderTest) throws {
      try sections(of: candidate, readers: 0, writers: 2, sections: 2)
    }

    @Test(arguments: TimedLockUnderTest.exclusive)
    func exclusiveLockWithATimeout(candidate: TimedLockUnderTest) throws {
      try checkTimed(candidate, "timed") { run, guarded in
        let timed = run.thread { guarded.addInTime() }
        let untimed = run.thread { guarded.add() }
        let count = timed.join() ? 2 : 1
        untimed.join()
        run.expect(guarded.cell.value == count)
      }
    }

    /// A thread that was woken and then times out must pass the wake-up to another thread.
    @Test(arguments: TimedLockUnderTest.exclusive)
    func exclusiveLockWithATimeoutAmongThreeThreads(candidate: TimedLockUnderTest) throws {
      try checkTimed(candidate, "timed, three threads", preemptions: 2) { run, guarded in
        let timed = run.thread { guarded.addInTime() }
        let untimed = run.thread { guarded.add() }
        guarded.add()
        let count = timed.join() ? 3 : 2
        untimed.join()
        run.expect(guarded.cell.value == count)
      }
    }

    // MARK: All locks

    @Test(arguments: LockUnderTest.explored, [(1, 1), (2, 0), (0, 2)])
    func everyReadWriteLockWithTwoThreads(candidate: LockUnderTest, threads: (readers: Int, writers: Int))
      throws
    {
      try sections(of: candidate, readers: threads.readers, writers: threads.writers)
    }

    /// A thread's second read takes the inlined fast path: it reuses the slot of the first read (see
    /// `SlotTable`).
    ///
    /// A write section that overlapped this read would be reported as a race.
    @Test func everyReadWriteLockWithAReaderThatReadsAgain() throws {
      try check("BiasedReadWriteLock, two reads", .exhaustive(preemptions: 2)) { run in
        let guarded = Guarded(BiasedReadWriteLock(bias: .slots))
        let reader = run.thread { for _ in 0..<2 { guarded.lock.withReadLock { _ = guarded.cell.value } } }
        guarded.lock.withWriteLock { guarded.cell.value += 1 }
        reader.join()
      }
    }

    // MARK: Timeouts

    @Test(arguments: TimedLockUnderTest.explored)
    func everyReadWriteLockWithATimedWriter(candidate: TimedLockUnderTest) throws {
      try checkTimed(candidate, "a timed writer", preemptions: 2) { run, guarded in
        let timed = run.thread { guarded.addInTime() }
        let reader = run.thread { guarded.read() }
        let count = timed.join() ? 1 : 0
        _ = reader.join()
        run.expect(guarded.read() == count)
      }
    }

    @Test(arguments: TimedLockUnderTest.explored)
    func everyReadWriteLockWithATimedReader(candidate: TimedLockUnderTest) throws {
      try checkTimed(candidate, "a timed reader", preemptions: 2) { run, guarded in
        let timed = run.thread { guarded.readInTime() }
        let writer = run.thread { guarded.add() }
        _ = timed.join()
        writer.join()
        // Both threads have ended, so the lock must be free, even if the reader timed out.
        guarded.add()
        run.expect(guarded.read() == 2)
      }
    }

    /// A reader waits behind a writer, and the writer waits for another reader.
    ///
    /// When the writer times out, the lock must admit the waiting reader.
    @Test(arguments: TimedLockUnderTest.exploredSharing)
    func everyReadWriteLockWhoseWriterGivesUpAdmitsReaders(candidate: TimedLockUnderTest) throws {
      try checkTimed(candidate, "a writer gives up", preemptions: 1) { run, guarded in
        guarded.reading {
          let writer = run.thread { guarded.addInTime() }
          let reader = run.thread { guarded.read() }
          run.expect(!writer.join(), "the section in which it waits has not ended")
          run.expect(reader.join() == 0)
        }
      }
    }

    @Test(arguments: TimedLockUnderTest.exploredSharing)
    func everyReadWriteLockWhoseWriterGivesUpAdmitsAnotherWriter(candidate: TimedLockUnderTest) throws {
      try checkTimed(candidate, "one of two writers gives up", preemptions: 1) { run, guarded in
        let writers = guarded.reading {
          let writer = run.thread { guarded.addInTime() }
          let other = run.thread { guarded.add() }
          run.expect(!writer.join(), "the section in which it waits has not ended")
          run.expect(guarded.valueInSection == 0)
          return other
        }
        writers.join()
        run.expect(guarded.read() == 1)
      }
    }

    /// A writer waits for a reader, and a writer that came later gives up.
    ///
    /// The writer that gives up must not admit readers while the first writer still waits.
    @Test(arguments: TimedLockUnderTest.exploredSharing)
    func everyReadWriteLockWhoseLaterWriterGivesUpKeepsReadersOut(candidate: TimedLockUnderTest) throws {
      try checkTimed(candidate, "a later writer gives up", preemptions: 1) { run, guarded in
        let writer = guarded.reading {
          let writer = run.thread { guarded.add() }
          run.thread { while guarded.admitsReader { Backoff.yieldUntilChange() } }.join()
          let later = run.thread { guarded.addInTime() }
          run.expect(!later.join(), "the section for which it waits has not ended")
          let reader = run.thread { guarded.admitsReader }
          run.expect(!reader.join(), "the first writer keeps readers out while it waits")
          return writer
        }
        writer.join()
        run.expect(guarded.read() == 1)
      }
    }

    @Test(arguments: TimedLockUnderTest.explored)
    func everyReadWriteLockWhoseReaderGivesUpAdmitsWriters(candidate: TimedLockUnderTest) throws {
      try checkTimed(candidate, "a reader gives up", preemptions: 1) { run, guarded in
        guarded.writing {
          let reader = run.thread { guarded.readInTime() }
          run.expect(reader.join() == nil, "the section for which it waits has not ended")
        }
        guarded.add()
        run.expect(guarded.read() == 1)
      }
    }

    // MARK: Three threads
    // Tests with three or more threads come last in this suite, because they take longest.

    @Test(arguments: LockUnderTest.exclusive)
    func exclusiveLockWithThreeThreads(candidate: LockUnderTest) throws {
      try sections(of: candidate, readers: 0, writers: 3)
    }

    @Test func everyReadWriteLockWithThreeThreads() throws {
      let strategy = ExplorationStrategy.exhaustive(preemptions: 1)
      let compact = LockUnderTest(named: "CompactReadWriteLock")
      for (readers, writers) in [(2, 1), (1, 2), (0, 3)] {
        try sections(of: compact, readers: readers, writers: writers, strategy)
      }
      // A fourth thread adds a case: a reader that was woken finds another reader still asleep.
      try sections(of: compact, readers: 2, writers: 2, strategy, mayEndEarly: true)
      let spin = LockUnderTest(named: "SpinReadWriteLock")
      for (readers, writers) in [(2, 1), (1, 2)] {
        try sections(of: spin, readers: readers, writers: writers, .exhaustive(preemptions: 2))
      }
      let counted = LockUnderTest(named: "BiasedReadWriteLock (counted)")
      try sections(of: counted, readers: 2, writers: 1, strategy)
      let slots = LockUnderTest(named: "BiasedReadWriteLock (slots)")
      try sections(of: slots, readers: 2, writers: 1, strategy, mayEndEarly: true)
    }

    /// In explorations the `SlotTable` has two slots, so not all of the four nested reads find a slot.
    @Test func everyReadWriteLockWithMoreReadersThanSlots() throws {
      try check("BiasedReadWriteLock, nested reads", .exhaustive(preemptions: 1), mayEndEarly: true) { run in
        let outer = Guarded(BiasedReadWriteLock(bias: .slots))
        let inner = Guarded(BiasedReadWriteLock(bias: .slots))
        let readers = (0..<2).map { _ in
          run.thread { outer.lock.withReadLock { inner.lock.withReadLock { _ = inner.cell.value } } }
        }
        inner.lock.withWriteLock { inner.cell.value += 1 }
        for reader in readers { reader.join() }
      }
    }
  }

  extension Guarded where Lock == any RawReadWriteLock {
    /// The timeout of the timed functions.
    ///
    /// A waiting writer of a biased lock wakes up after each millisecond or two, so a longer timeout would mean more
    /// schedules.
    private var timeout: Duration { .milliseconds(2) }

    func add() { lock.withWriteLock { cell.value += 1 } }
    func addInTime() -> Bool { !timesOut { try lock.withWriteLock(timeout: timeout) { cell.value += 1 } } }
    /// The guarded value; the calling thread must hold the lock.
    var valueInSection: Int { cell.value }
    func read() -> Int { lock.withReadLock { cell.value } }
    func readInTime() -> Int? {
      unlessTimedOut { try lock.withReadLock(timeout: timeout) { cell.value } }
    }
    /// Whether a reader can acquire the lock without waiting.
    var admitsReader: Bool { lock.withReadLockIfAvailable {} != nil }
    func reading<Result: Sendable>(_ body: () -> Result) -> Result { lock.withReadLock { body() } }
    func writing(_ body: () -> Void) { lock.withWriteLock { body() } }
  }
#endif
