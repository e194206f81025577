#if Exploration
  import Exploration
  import Lifecycles
  import InterlockCore
  import Protectors
  @testable import ReadWriteLocks
  import TestSupport
  import Testing
  import UnfairLocks

  /// Explores the algorithms with more threads, sections, timeouts and spurious wake-ups than an exhaustive
  /// search can try: with few preemptions, and with random priorities.
  @Suite(.serialized) struct ManyThreadScheduleTests {
    /// Random priorities that change three times in each execution.
    private static let priorities = ExplorationStrategy.priorities(
      executions: StressSize.pick(quick: 10_000, full: 1_000_000), depth: 4)

    /// Every schedule with at most `bound` preemptions, or one more with `INTERLOCK_STRESS=full`.
    private static func preemptions(_ bound: Int) -> ExplorationStrategy {
      .exhaustive(preemptions: StressSize.pick(quick: bound, full: bound + 1))
    }

    // MARK: UnfairLock

    /// Explores threads that increment a number in critical sections of an `UnfairLock`.
    ///
    /// - Parameter timed: The number of threads whose critical sections have timeouts. The thread that runs
    ///   the body is the first of them.
    private func unfairLock(
      threads: Int, sections: Int, timed: Int = 0, spuriousWakeUps: Int = 0, _ strategy: ExplorationStrategy
    ) throws {
      let name = "UnfairLock, \(threads) threads, \(sections) sections, \(timed) with timeouts"
      try check(
        name, strategy, spuriousWakeUps: spuriousWakeUps, mayEndEarly: true, dividesLocks: true
      ) { run in
        let guarded = Guarded(UnfairLock())
        let enter: @Sendable (Bool) -> Int = { isTimed in
          (0..<sections).count { _ in
            if isTimed {
              return !timesOut { try guarded.lock.withLock(timeout: .seconds(1)) { guarded.cell.value += 1 } }
            }
            guarded.lock.withLock { guarded.cell.value += 1 }
            return true
          }
        }
        let others = (1..<threads).map { number in run.thread { enter(number < timed) } }
        var count = enter(0 < timed)
        for other in others { count += other.join() }
        // All other threads have ended, so the lock must be free. A lock that is still held would be reported
        // as a deadlock.
        guarded.lock.withLock { run.expect(guarded.cell.value == count) }
      }
    }

    @Test func unfairLockWithTwoSectionsEach() throws {
      try unfairLock(threads: 3, sections: 2, Self.preemptions(2))
      try unfairLock(threads: 3, sections: 2, Self.priorities)
    }

    @Test func unfairLockWithFourThreads() throws {
      try unfairLock(threads: 4, sections: 1, timed: 1, Self.preemptions(1))
      try unfairLock(threads: 4, sections: 1, timed: 1, Self.priorities)
    }

    @Test func unfairLockWithTimeoutsInTwoThreads() throws {
      try unfairLock(threads: 3, sections: 2, timed: 2, Self.priorities)
    }

    @Test func unfairLockWithSpuriousWakeUps() throws {
      try unfairLock(threads: 2, sections: 1, spuriousWakeUps: 1, .exhaustive())
      try unfairLock(threads: 2, sections: 2, timed: 1, spuriousWakeUps: 1, Self.preemptions(2))
      try unfairLock(threads: 3, sections: 1, timed: 1, spuriousWakeUps: 1, Self.preemptions(1))
    }

    /// A thread that asked for a hand-over times out, while another thread sleeps on the free lock because of
    /// the hand-over.
    ///
    /// The thread that times out must wake the other one.
    @Test func unfairLockWhoseHandOverIsGivenUp() throws {
      try check(
        "UnfairLock, a hand-over is given up", Self.preemptions(1), mayEndEarly: true, dividesLocks: true
      ) { run in
        let guarded = Guarded(UnfairLock())
        let timed = run.thread {
          !timesOut { try guarded.lock.withLock(timeout: .seconds(1)) { guarded.cell.value += 1 } }
        }
        let untimed = run.thread { guarded.lock.withLock { guarded.cell.value += 1 } }
        for _ in 0..<2 {
          guarded.lock.withLock {
            guarded.cell.value += 1
            // Lets other threads try to enter.
            Backoff.yieldUntilChange()
          }
        }
        let count = timed.join() ? 4 : 3
        untimed.join()
        guarded.lock.withLock { run.expect(guarded.cell.value == count) }
      }
    }

    // MARK: CompactReadWriteLock

    /// A guarded lock whose readers can wait for one another inside their read sections.
    ///
    /// `readersIn` counts the read sections that have begun, and `writersAtWork` the writer threads that have
    /// not finished.
    private final class Meeting: Sendable {
      let guarded: Guarded<CompactReadWriteLock>
      let writersAtWork: LockWord
      let readersIn = LockWord()

      init(writers: Int, turns: Int) {
        guarded = Guarded(turns: turns)
        writersAtWork = LockWord(UInt32(writers))
      }
    }

    /// Explores readers and writers of a `CompactReadWriteLock`.
    ///
    /// - Parameters:
    ///   - turns: The initial value of the lock's count of turns. Every fourth turn belongs to the readers.
    ///   - isTimed: Whether the sections of all threads have timeouts.
    ///   - meets: Whether a reader that enters after all writers have finished stays in its section until all
    ///     readers have entered theirs.
    private func compact(
      readers: Int, writers: Int, sections: Int = 1, writerSections: Int? = nil, turns: Int = 0,
      isTimed: Bool = false, meets: Bool = false, spuriousWakeUps: Int = 0, _ strategy: ExplorationStrategy
    ) throws {
      let writerSections = writerSections ?? sections
      let name =
        "CompactReadWriteLock, \(readers) readers, \(writers) writers, \(sections) and \(writerSections) sections"
        + (isTimed ? ", timed" : "") + (meets ? ", meeting" : "")
      try check(name, strategy, spuriousWakeUps: spuriousWakeUps, mayEndEarly: true) { run in
        let meeting = Meeting(writers: writers, turns: turns)
        let guarded = meeting.guarded
        let timeout: Duration? = isTimed ? .seconds(1) : nil
        let read: @Sendable () -> Void = {
          for _ in 0..<sections {
            guarded.reading(timeout) {
              _ = guarded.cell.value
              guard meets else { return }
              meeting.readersIn.addReleasing(1)
              guard meeting.writersAtWork.loadRelaxed() == 0 else { return }
              // Stops waiting for the other readers if `writersWaiting` may be left over, because the lock
              // may then keep them out (`CompactReadWriteCore`, invariant 7).
              while meeting.readersIn.loadRelaxed() < readers * sections,
                !guarded.lock.core.state.mayBeLeftOver
              {
                Backoff.yieldUntilChange()
              }
            }
          }
        }
        let write: @Sendable () -> Int = {
          defer { if meets { _ = meeting.writersAtWork.subtractReleasing(1) } }
          return (0..<writerSections).count { _ in guarded.adding(timeout) }
        }
        let reading = (0..<readers).map { _ in run.thread(read) }
        let writing = (1..<writers).map { _ in run.thread(write) }
        var count = write()
        for thread in writing { count += thread.join() }
        for thread in reading { thread.join() }
        // All other threads have ended, so the lock must be free for a reader and for a writer.
        run.expect(guarded.lock.withReadLock { guarded.cell.value } == count)
        run.expect(
          unlessTimedOut { try guarded.lock.withWriteLock(timeout: .zero) {} } != nil, "the lock is free")
      }
    }

    @Test(arguments: 0..<4) func compactLockInEachTurn(turns: Int) throws {
      try compact(readers: 1, writers: 2, turns: turns, Self.preemptions(1))
      try compact(readers: 2, writers: 1, writerSections: 2, turns: turns, Self.preemptions(1))
      try compact(readers: 2, writers: 2, sections: 2, turns: turns, Self.priorities)
    }

    @Test func compactLockWithFourThreads() throws {
      try compact(readers: 1, writers: 3, Self.priorities)
      try compact(readers: 2, writers: 2, meets: true, Self.preemptions(0))
      try compact(readers: 2, writers: 2, meets: true, Self.priorities)
      try compact(readers: 3, writers: 1, meets: true, Self.priorities)
    }

    @Test func compactLockWithTimeouts() throws {
      try compact(readers: 1, writers: 1, isTimed: true, .exhaustive())
      try compact(readers: 2, writers: 1, isTimed: true, Self.preemptions(1))
      try compact(readers: 1, writers: 2, isTimed: true, Self.preemptions(1))
      try compact(readers: 2, writers: 2, isTimed: true, Self.priorities)
    }

    /// Two writers give up while a reader holds the lock.
    ///
    /// The lock must then admit another reader.
    @Test func compactLockWhoseWritersGiveUp() throws {
      try check("CompactReadWriteLock, two writers give up", Self.priorities, mayEndEarly: true) { run in
        let guarded = Guarded(CompactReadWriteLock())
        guarded.lock.withReadLock {
          let writers = (0..<2).map { _ in run.thread { guarded.adding(.seconds(1)) } }
          let reader = run.thread { guarded.lock.withReadLock { guarded.cell.value } }
          for writer in writers { run.expect(!writer.join()) }
          run.expect(reader.join() == 0)
        }
      }
    }

    /// A writer calls `passOn` late, after a reader's `passOn` has woken a writer that goes first.
    ///
    /// The late `passOn` must not let readers go first as well, because readers and writers would then wait
    /// for one another.
    @Test func compactLockWhoseWriterReleasesLate() throws {
      try check("CompactReadWriteLock, a writer releases late", .exhaustive(preemptions: 1)) { run in
        // Begins at turn 2, so that the late `passOn` finds the count 4, at which readers may go first.
        let guarded = Guarded(turns: 2)
        let (writer, other) = guarded.lock.withWriteLock {
          let writer = run.thread { guarded.adding(nil) }
          Backoff.yieldUntilChange()
          let other = run.thread {
            _ = guarded.adding(nil)
            guarded.lock.withReadLock {
              let reader = run.thread { guarded.lock.withReadLock {} }
              Backoff.yieldUntilChange()
              return reader
            }
            .join()
          }
          return (writer, other)
        }
        run.expect(writer.join())
        other.join()
        run.expect(guarded.lock.withReadLock { guarded.cell.value } == 2)
      }
    }

    /// A writer that goes first gives up when the last reader has just released the lock.
    ///
    /// The reader finds no writer asleep, and must let later readers in.
    @Test func compactLockWhoseFirstWriterGivesUp() throws {
      try check("CompactReadWriteLock, the first writer gives up", .exhaustive(preemptions: 1)) { run in
        let guarded = Guarded(CompactReadWriteLock())
        let writer = run.thread { guarded.adding(.seconds(1)) }
        let reader = run.thread { guarded.lock.withReadLock { Backoff.yieldUntilChange() } }
        guarded.lock.withWriteLock {
          guarded.cell.value += 1
          Backoff.yieldUntilChange()
        }
        let count = writer.join() ? 2 : 1
        reader.join()
        run.expect(guarded.lock.withReadLock { guarded.cell.value } == count)
      }
    }

    @Test func compactLockWithSpuriousWakeUps() throws {
      try compact(readers: 1, writers: 1, isTimed: true, spuriousWakeUps: 1, Self.preemptions(2))
      try compact(readers: 2, writers: 1, isTimed: true, spuriousWakeUps: 1, Self.preemptions(1))
      try compact(readers: 2, writers: 1, meets: true, spuriousWakeUps: 1, Self.preemptions(1))
      try compact(readers: 1, writers: 2, spuriousWakeUps: 1, Self.preemptions(1))
    }

    // MARK: SpinReadWriteLock

    /// A reader that has waited for long goes first, and a reader that came later gives up.
    ///
    /// The reader that gives up must not take the turn from the first reader.
    @Test func spinLockWhoseLaterReaderGivesUp() throws {
      try check("SpinReadWriteLock, a later reader gives up", Self.preemptions(1)) { run in
        let guarded = Guarded(SpinReadWriteLock())
        let (reader, writer) = guarded.lock.withWriteLock {
          let reader = run.thread { guarded.lock.withReadLock { guarded.cell.value } }
          while !guarded.lock.state.state().has(ReadWriteState.readersFirst) { Backoff.yieldUntilChange() }
          let later = run.thread { !timesOut { try guarded.lock.withReadLock(timeout: .seconds(1)) {} } }
          run.expect(!later.join(), "the section for which it waits has not ended")
          return (reader, run.thread { guarded.lock.withWriteLock { guarded.cell.value += 1 } })
        }
        run.expect(reader.join() == 0, "the reader goes before the writer")
        writer.join()
      }
    }

    // MARK: BiasedReadWriteLock

    /// Explores an adaptive lock whose bias changes often.
    ///
    /// Time stands still in an exploration, so every sampled read without bias sets the bias, and every
    /// revocation clears it.
    ///
    /// - Parameter isSampled: Whether the first read of each reader is sampled.
    private func adaptive(
      readers: Int, writers: Int, sections: Int, isSampled: Bool, _ strategy: ExplorationStrategy
    ) throws {
      let name = "BiasedReadWriteLock, adaptive, \(readers) readers, \(writers) writers, \(sections) sections"
      try check(name, strategy, mayEndEarly: true) { run in
        let guarded = Guarded(BiasedReadWriteLock())
        ThreadRecord.current[entry: 0] = 0
        guarded.lock.withReadLock { _ = guarded.cell.value }
        let reading = (0..<readers).map { _ in
          run.thread {
            if isSampled { ThreadRecord.current[entry: 0] = 0 }
            for _ in 0..<sections { guarded.lock.withReadLock { _ = guarded.cell.value } }
          }
        }
        let write: @Sendable () -> Void = {
          for _ in 0..<sections { guarded.lock.withWriteLock { guarded.cell.value += 1 } }
        }
        let writing = (1..<writers).map { _ in run.thread(write) }
        write()
        for thread in reading + writing { thread.join() }
        run.expect(guarded.lock.withReadLock { guarded.cell.value } == writers * sections)
      }
    }

    @Test(arguments: [false, true]) func biasedLockWhoseBiasChanges(isSampled: Bool) throws {
      try adaptive(readers: 1, writers: 1, sections: 2, isSampled: isSampled, Self.preemptions(2))
      try adaptive(readers: 2, writers: 1, sections: 1, isSampled: isSampled, Self.preemptions(1))
      try adaptive(readers: 1, writers: 2, sections: 1, isSampled: isSampled, Self.preemptions(1))
      try adaptive(readers: 2, writers: 2, sections: 2, isSampled: isSampled, Self.priorities)
    }

    // MARK: WaitQueue

    /// Explores threads that wait for permits; a writer adds as many permits as the threads without a timeout
    /// need.
    ///
    /// - Parameters:
    ///   - needs: For each waiting writer, the number of permits that it takes. A writer with a timeout gives
    ///     them back.
    ///   - timed: The numbers of the threads with a timeout. Waiting writers have the numbers from 0, and
    ///     waiting readers those after them.
    ///   - watchers: The number of readers that wait until all permits were added.
    ///   - holders: The number of threads that read once without waiting for a value.
    ///   - atOnce: Whether one write section adds all permits, instead of one permit each.
    private func permits(
      _ needs: [Int], timed: Set<Int> = [], watchers: Int = 0, holders: Int = 0, atOnce: Bool = false,
      spuriousWakeUps: Int = 0, _ strategy: ExplorationStrategy
    ) throws {
      let name =
        "LockProtector, permits \(needs), timed \(timed.sorted()), \(watchers) waiting readers, \(holders) readers"
      try check(name, strategy, spuriousWakeUps: spuriousWakeUps, mayEndEarly: true) { run in
        struct Permits: Sendable {
          var left = 0
          var brought = 0
        }
        let permits = LockProtector(Permits(), lock: CompactReadWriteLock())
        let needed = needs.indices.filter { !timed.contains($0) }.map { needs[$0] }.reduce(0, +)
        let takers = needs.indices.map { number in
          let need = needs[number]
          let isTimed = timed.contains(number)
          return run.thread {
            let isServed: Void? = unlessTimedOut {
              try permits.withWriteLock(
                waitingUntil: { $0.left >= need }, timeout: isTimed ? .seconds(1) : nil
              ) { $0.left -= need }
            }
            if isTimed, isServed != nil { permits.withWriteLock { $0.left += need } }
            if !isTimed { run.expect(isServed != nil) }
          }
        }
        let watching = (0..<watchers).map { number in
          let isTimed = timed.contains(needs.count + number)
          return run.thread {
            let isServed: Void? = unlessTimedOut {
              try permits.withReadLock(
                waitingUntil: { $0.brought == needed }, timeout: isTimed ? .seconds(1) : nil
              ) { _ in }
            }
            if !isTimed { run.expect(isServed != nil) }
          }
        }
        let holding = (0..<holders).map { _ in run.thread { permits.withReadLock { _ in } } }
        for _ in 0..<(atOnce ? 1 : needed) {
          let count = atOnce ? needed : 1
          permits.withWriteLock {
            $0.left += count
            $0.brought += count
          }
        }
        for thread in takers + watching + holding { thread.join() }
        run.expect(permits.withReadLock { $0.left } == 0)
      }
    }

    /// The end of the first write section finds the waiter's predicate false, and the second write section
    /// makes it true.
    ///
    /// The end of the second section must notify the waiter.
    @Test func waiterWhosePredicateWasFalse() throws {
      try check("ExclusiveProtector, a predicate that was false", Self.preemptions(2)) { run in
        let protector = ExclusiveProtector(0)
        let waiter = run.thread { protector.withLock(waitingUntil: { $0 == 2 }) { $0 += 1 } }
        protector.withLock { $0 = 1 }
        protector.withLock { $0 = 2 }
        waiter.join()
        run.expect(protector.withLock { $0 } == 3)
      }
    }

    @Test func waitersWithOneTimeout() throws {
      try permits([1, 1], timed: [0], holders: 1, Self.preemptions(0))
      try permits([1, 1], timed: [0], holders: 1, Self.priorities)
    }

    @Test func waitersWithTwoTimeouts() throws {
      try permits([1, 1], timed: [0, 1], Self.preemptions(1))
      try permits([1, 1], timed: [0, 1], holders: 1, Self.priorities)
    }

    @Test func threeWaiters() throws {
      try permits([1, 1, 1], timed: [0], holders: 1, Self.priorities)
      try permits([1, 2, 1], timed: [1], atOnce: true, Self.preemptions(0))
      try permits([1, 2, 1], timed: [1], atOnce: true, Self.priorities)
    }

    @Test func waitersThatReadAndWrite() throws {
      try permits([1], timed: [1], watchers: 1, Self.preemptions(1))
      try permits([1], timed: [1], watchers: 1, holders: 1, Self.priorities)
      try permits([1, 1], timed: [0, 2], watchers: 1, Self.preemptions(0))
      try permits([1, 1], timed: [0, 2], watchers: 1, Self.priorities)
    }

    @Test func waitersWithSpuriousWakeUps() throws {
      try permits([1], spuriousWakeUps: 1, Self.preemptions(2))
      try permits([1, 1], timed: [0], spuriousWakeUps: 1, Self.preemptions(1))
    }

    // MARK: Lifecycle

    @Test func lifecycleWithTwoDeliveringAndTwoInvalidatingThreads() throws {
      for strategy in [Self.preemptions(1), Self.priorities] {
        try check("Lifecycle, two threads deliver and two invalidate", strategy, mayEndEarly: true) { run in
          let living = LifecycleScheduleTests.Living()
          let cells = [ExploredCell(0), ExploredCell(0)]
          living.lifecycle.activate()
          let delivering = cells.map { cell in
            run.thread { for _ in 0..<2 { living.lifecycle.whileActive { cell.value += 1 } } }
          }
          let invalidate: @Sendable () -> Int = {
            living.lifecycle.invalidate()
            // `invalidate` has returned, so no delivery runs or begins any more. One that did would be
            // reported as a race with these reads.
            return cells.map(\.value).reduce(0, +)
          }
          let other = run.thread(invalidate)
          let count = invalidate()
          run.expect(other.join() == count)
          for thread in delivering { thread.join() }
        }
      }
    }
  }

  extension LockWord {
    /// Whether `writersWaiting` is set while readers go first.
    ///
    /// The flag may then be left over from a writer that no longer waits.
    fileprivate var mayBeLeftOver: Bool {
      let flags = ReadWriteState.writersWaiting | ReadWriteState.readersFirst
      return loadRelaxed() & flags == flags
    }
  }

  extension Guarded where Lock == CompactReadWriteLock {
    /// Makes a guarded lock that has granted `turns` turns.
    fileprivate convenience init(turns: Int) {
      self.init(CompactReadWriteLock())
      for _ in 0..<turns { lock.core.turns.addReleasing(1) }
    }
  }

  extension Guarded where Lock: RawReadWriteLock & ~Copyable {
    fileprivate func reading(_ timeout: Duration?, _ body: () -> Void) {
      if let timeout {
        _ = unlessTimedOut { try lock.withReadLock(timeout: timeout) { body() } }
      } else {
        lock.withReadLock { body() }
      }
    }

    fileprivate func adding(_ timeout: Duration?) -> Bool {
      if let timeout {
        return unlessTimedOut { try lock.withWriteLock(timeout: timeout) { cell.value += 1 } } != nil
      }
      lock.withWriteLock { cell.value += 1 }
      return true
    }
  }
#endif
