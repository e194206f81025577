#if Exploration
  import Exploration
  import LazyInitialization
  import Lifecycles
  import Protectors
  import ReadWriteLocks
  import TestSupport
  import Testing
  import UnfairLocks

  /// The primitives of the toolkit, explored: exhaustively where that ends, and otherwise with few
  /// preemptions.
  ///
  /// Each prints what it did, so that a search which ends too early is seen.
  @Suite(.serialized) struct PrimitiveTests {
    private static let bounded = ExplorationStrategy.exhaustive(preemptions: 2)

    private func check(
      _ name: String, _ strategy: ExplorationStrategy = .exhaustive(), mayEndEarly: Bool = false,
      _ body: @escaping @Sendable (Execution) throws -> Void
    ) throws {
      // A search that has to end may take long on a busy machine.
      let limits = ExplorationLimits(duration: .seconds(mayEndEarly ? 20 : 300))
      let summary = try explore(strategy, limits: limits, body)
      print("explored \(name): \(summary)")
      #expect(mayEndEarly || summary.isExhaustive)
    }

    // MARK: Locks

    final class Guarded<Lock: ReadWriteLock & ~Copyable>: Sendable {
      let lock: Lock
      let cell = ExploredCell(0)

      init(_ lock: consuming sending Lock) { self.lock = lock }
    }

    private func sections<Lock: ReadWriteLock & ~Copyable>(
      _ name: String, readers: Int, writers: Int, sections: Int = 1,
      _ strategy: ExplorationStrategy = .exhaustive(), mayEndEarly: Bool = false,
      _ makeLock: @escaping @Sendable () -> sending Lock
    ) throws {
      let name = "\(name), \(readers) readers, \(writers) writers, \(sections) sections"
      try check(name, strategy, mayEndEarly: mayEndEarly) { run in
        let guarded = Guarded(makeLock())
        let writing = (0..<writers).map { _ in
          run.thread { for _ in 0..<sections { guarded.lock.withWriteLock { guarded.cell.value += 1 } } }
        }
        let reading = (0..<readers).map { _ in
          run.thread { for _ in 0..<sections { guarded.lock.withReadLock { _ = guarded.cell.value } } }
        }
        for thread in writing + reading { thread.join() }
        run.expect(guarded.cell.value == writers * sections, "no section is lost")
      }
    }

    @Test func unfairLockWithTwoSectionsEach() throws {
      try sections("UnfairLock", readers: 0, writers: 2, sections: 2) { UnfairLock() }
    }

    @Test func unfairLockWithThreeThreads() throws {
      try sections("UnfairLock", readers: 0, writers: 3, mayEndEarly: true) { UnfairLock() }
    }

    @Test(arguments: [(1, 1), (2, 0), (0, 2)])
    func everyReadWriteLockWithTwoThreads(readers: Int, writers: Int) throws {
      try sections("CompactReadWriteLock", readers: readers, writers: writers) { CompactReadWriteLock() }
      try sections("SpinReadWriteLock", readers: readers, writers: writers) { SpinReadWriteLock() }
      try sections("BiasedReadWriteLock, counted", readers: readers, writers: writers) {
        BiasedReadWriteLock(bias: .counted)
      }
      try sections("BiasedReadWriteLock, slots", readers: readers, writers: writers) {
        BiasedReadWriteLock(bias: .slots)
      }
    }

    @Test func everyReadWriteLockWithThreeThreads() throws {
      let strategy = ExplorationStrategy.exhaustive(preemptions: 1)
      try sections("CompactReadWriteLock", readers: 2, writers: 1, strategy) { CompactReadWriteLock() }
      try sections("SpinReadWriteLock", readers: 2, writers: 1, strategy) { SpinReadWriteLock() }
      try sections("BiasedReadWriteLock, counted", readers: 2, writers: 1, strategy) {
        BiasedReadWriteLock(bias: .counted)
      }
      try sections("BiasedReadWriteLock, slots", readers: 2, writers: 1, strategy, mayEndEarly: true) {
        BiasedReadWriteLock(bias: .slots)
      }
    }

    @Test func timedLocks() throws {
      try check("UnfairLock, timed") { run in
        let guarded = Guarded(UnfairLock())
        let timed = run.thread { guarded.lock.withLock(timeout: .seconds(1)) { guarded.cell.value += 1 } }
        let untimed = run.thread { guarded.lock.withLock { guarded.cell.value += 1 } }
        let count = timed.join() ? 2 : 1
        untimed.join()
        run.expect(guarded.cell.value == count)
      }
      try check("CompactReadWriteLock, timed") { run in
        let guarded = Guarded(CompactReadWriteLock())
        let timed = run.thread {
          guarded.lock.withWriteLock(timeout: .seconds(1)) { guarded.cell.value += 1 } != nil
        }
        let reader = run.thread { guarded.lock.withReadLock { guarded.cell.value } }
        let count = timed.join() ? 1 : 0
        _ = reader.join()
        run.expect(guarded.cell.value == count)
      }
    }

    // MARK: Initialisation

    final class Lazies: Sendable {
      let once = Once()
      let cell = OnceCell<Int>()
      let value = ExploredCell(0)
    }

    @Test(arguments: [2, 3])
    func aBodyOfOnceRunsOnce(threads: Int) throws {
      let strategy = threads == 2 ? ExplorationStrategy.exhaustive() : Self.bounded
      try check("Once, \(threads) threads", strategy, mayEndEarly: threads > 2) { run in
        let lazies = Lazies()
        let tasks = (0..<threads).map { _ in
          run.thread {
            lazies.once.run { lazies.value.value += 1 }
            return lazies.value.value
          }
        }
        for task in tasks { run.expect(task.join() == 1) }
      }
    }

    @Test func aCellIsInitializedOnce() throws {
      try check("OnceCell") { run in
        let lazies = Lazies()
        let one = run.thread { lazies.cell.value { 1 } }
        let two = run.thread { lazies.cell.value { 2 } }
        run.expect(one.join() == two.join(), "both see one value")
      }
    }

    @Test func anInitializerThatThrowsLeavesTheCellToAnother() throws {
      struct Refused: Error {}
      try check("OnceCell, one initialiser throws") { run in
        let lazies = Lazies()
        let one = run.thread { try? lazies.cell.value { () throws(Refused) in throw Refused() } }
        let two = run.thread { lazies.cell.value { 2 } }
        run.expect(two.join() == 2)
        let seen = one.join()
        run.expect(seen == nil || seen == 2)
      }
    }

    // MARK: Waiting for values

    @Test func aPredicateIsServed() throws {
      try check("ExclusiveProtector, a waiting writer") { run in
        let protector = ExclusiveProtector(0)
        let waiter = run.thread { protector.withWriteLock(waitingUntil: { $0 == 1 }) { $0 += 1 } }
        protector.withWriteLock { $0 = 1 }
        waiter.join()
        run.expect(protector.withWriteLock { $0 } == 2)
      }
    }

    @Test func aPredicateIsServedOrTimesOut() throws {
      try check("ExclusiveProtector, a waiting writer with a timeout", Self.bounded, mayEndEarly: true) {
        run in
        let protector = ExclusiveProtector(0)
        let waiter = run.thread {
          protector.withWriteLock(waitingUntil: { $0 == 1 }, timeout: .seconds(1)) { $0 += 1 }
        }
        protector.withWriteLock { $0 = 1 }
        let isServed = waiter.join()
        run.expect(protector.withWriteLock { $0 } == (isServed ? 2 : 1))
      }
    }

    @Test func twoWaitersAreServed() throws {
      try check("ExclusiveProtector, two waiting writers", .exhaustive(preemptions: 1), mayEndEarly: true) {
        run in
        let protector = ExclusiveProtector(0)
        let waiters = (0..<2).map { _ in
          run.thread { protector.withWriteLock(waitingUntil: { $0 > 0 }) { $0 -= 1 } }
        }
        protector.withWriteLock { $0 = 2 }
        for waiter in waiters { waiter.join() }
        run.expect(protector.withWriteLock { $0 } == 0)
      }
    }

    // MARK: Lifecycles

    final class Living: Sendable {
      let lifecycle = Lifecycle("explored")
      let cell = ExploredCell(0)
    }

    @Test func nothingIsDeliveredAfterInvalidate() throws {
      try check("Lifecycle") { run in
        let living = Living()
        living.lifecycle.activate()
        let delivery = run.thread { living.lifecycle.whileActive { living.cell.value += 1 } }
        living.lifecycle.invalidate()
        // Without a lock: a delivery that still ran would race with it.
        living.cell.value += 1
        _ = delivery.join()
      }
    }

    @Test func twoThreadsInvalidate() throws {
      try check("Lifecycle, two invalidations", Self.bounded, mayEndEarly: true) { run in
        let living = Living()
        living.lifecycle.activate()
        let delivery = run.thread { living.lifecycle.whileActive { living.cell.value += 1 } }
        let other = run.thread { living.lifecycle.invalidate { living.cell.value += 1 } }
        living.lifecycle.invalidate { living.cell.value += 1 }
        _ = delivery.join()
        _ = other.join()
      }
    }
  }
#endif
