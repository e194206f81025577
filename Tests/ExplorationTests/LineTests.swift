#if Exploration
  import AtomicProperties
  import Exploration
  import InterlockCore
  import LazyInitialization
  import Lifecycles
  import Protectors
  import ReadWriteLocks
  import Snapshots
  import Testing
  import UnfairLocks

  /// Tests which lines of memory travel between processors: numbers that hold for machines with any number of them.
  @Suite(.serialized) struct LineTests {
    private static let orders = [CallOrder.roundRobin, .random(seed: 1), .random(seed: 2)]

    // MARK: Controls

    @Test(arguments: [2, 8, 63]) func releasesOfATicketLockInvalidateAllWaiters(threads: Int) throws {
      let costs = try countLines(threads: threads, order: .random(seed: 1)) {
        let lock = TicketLock()
        return { _ in
          lock.lock()
          countOnly { lock.unlock() }
        }
      }
      // All that wait have read the number that a release changes.
      #expect(costs.most(\.invalidations) >= (threads - 1) / 2)
      #expect(!costs.isConflictFree)
    }

    @Test(arguments: [2, 8, 63]) func releasesOfAQueueLockInvalidateOneWaiter(threads: Int) throws {
      let costs = try countLines(threads: threads, order: .random(seed: 1)) {
        let lock = QueueLock(threads: threads)
        return { thread in
          lock.lock(thread)
          countOnly { lock.unlock(thread) }
        }
      }
      #expect(costs.most(\.invalidations) <= 3)
      #expect(costs.most(\.transfers) <= 4)
    }

    @Test func waitsForATestAndSetLockHaveNoBound() throws {
      func transfersPerCall(threads: Int) throws -> Int {
        let costs = try countLines(threads: threads, order: .random(seed: 1)) {
          let lock = TestAndSetLock()
          return { _ in
            lock.lock()
            lock.unlock()
          }
        }
        return costs.total(\.transfers) / costs.calls.count
      }
      #expect(try transfersPerCall(threads: 16) > 4 * transfersPerCall(threads: 2))
    }

    @Test func readersThatCountThemselvesConflict() throws {
      for order in Self.orders {
        let costs = try countLines(threads: 8, order: order) {
          let lock = Box(CompactReadWriteLock())
          return { _ in lock.value.withReadLock {} }
        }
        #expect(!costs.isConflictFree)
        #expect(costs.most(\.invalidations) > 0)
      }
    }

    // MARK: What scales

    @Test(arguments: [2, 8, 63], orders)
    func readersOfABiasedLockMoveNoLine(threads: Int, order: CallOrder) throws {
      let costs = try countLines(threads: threads, order: order) {
        let lock = Box(BiasedReadWriteLock(bias: .slots))
        return { _ in lock.value.withReadLock {} }
      }
      #expect(costs.total(\.transfers) == 0)
      #expect(costs.isConflictFree)
    }

    @Test(arguments: [2, 8, 63], orders)
    func readersOfASnapshotMoveNoLine(threads: Int, order: CallOrder) throws {
      let costs = try countLines(threads: threads, order: order) {
        let snapshot = Snapshot(1)
        return { _ in _ = snapshot.current }
      }
      #expect(costs.total(\.transfers) == 0)
      #expect(costs.isConflictFree)
    }

    @Test(arguments: [2, 8, 63], orders)
    func readersOfACompleteCellMoveNoLine(threads: Int, order: CallOrder) throws {
      let costs = try countLines(threads: threads, order: order) {
        let cell = Box(OnceCell<Int>())
        return { _ in _ = cell.value.value { 1 } }
      }
      #expect(costs.total(\.transfers) == 0)
      #expect(costs.isConflictFree)
    }

    @Test(arguments: [2, 8, 63], orders)
    func deliveriesMoveNoLine(threads: Int, order: CallOrder) throws {
      let costs = try countLines(threads: threads, order: order) {
        // Never freed: it must not end while it is active.
        let lifecycle = Lifecycle()
        _ = unsafe Unmanaged.passRetained(lifecycle)
        lifecycle.activate()
        return { _ in lifecycle.whileActive {} }
      }
      #expect(costs.total(\.transfers) == 0)
      #expect(costs.isConflictFree)
    }

    /// The inner delivery takes a slot that is no other thread's first one.
    @Test(arguments: [2, 8, 63], orders)
    func nestedDeliveriesMoveNoLine(threads: Int, order: CallOrder) throws {
      let costs = try countLines(threads: threads, order: order) {
        // Never freed: they must not end while they are active.
        let (outer, inner) = (Lifecycle(), Lifecycle())
        for lifecycle in [outer, inner] {
          _ = unsafe Unmanaged.passRetained(lifecycle)
          lifecycle.activate()
        }
        return { _ in outer.whileActive { inner.whileActive {} } }
      }
      #expect(costs.total(\.transfers) == 0)
      #expect(costs.isConflictFree)
    }

    // MARK: What does not, and by how much

    @Test(arguments: [1, 2, 8, 63]) func anUnfairLockIsHandedOverWithOneLine(threads: Int) throws {
      let costs = try countLines(threads: threads, order: .roundRobin) {
        let lock = Box(UnfairLock())
        return { _ in lock.value.withLock {} }
      }
      // The same processor again: none.
      #expect(costs.most(\.transfers) == (threads == 1 ? 0 : 1))
      #expect(costs.most(\.invalidations) == (threads == 1 ? 0 : 1))
    }

    @Test(arguments: [1, 8, 62]) func aReleaseCostsTheSameForAnyNumberOfWaiters(waiters: Int) throws {
      let costs = try countLines(threads: waiters + 1, order: .roundRobin) {
        let lock = Box(UnfairLock())
        return { _ in
          lock.value.unsafeLock()
          // The others try to acquire the lock, and go to sleep.
          for _ in 0..<64 { spinLoopHint() }
          countOnly { lock.value.unsafeUnlock() }
        }
      }
      #expect(costs.most(\.wakeUps) == 1)
      #expect(costs.most(\.transfers) <= 1)
      #expect(costs.most(\.invalidations) <= 1)
    }

    @Test(arguments: [2, 8, 63]) func aWriterAfterReadersLoadsTheSlotsThatTheyHaveUsed(threads: Int) throws {
      let costs = try countLines(threads: threads, order: .roundRobin) {
        let lock = Box(BiasedReadWriteLock(bias: .slots))
        return { thread in
          if thread > 0 { lock.value.withReadLock {} }
          countOnly { if thread == 0 { lock.value.withWriteLock {} } }
        }
      }
      // Those of the slots, and the word, which readers have loaded.
      #expect(costs.most(\.transfers) == threads)
      #expect(costs.most(\.invalidations) == threads - 1)
    }

    /// Beside that of the value, which is ordinary memory.
    @Test(arguments: [1, 2, 8, 63]) func aWriteSectionMovesTheLineOfTheLock(threads: Int) throws {
      let exclusive = try countLines(threads: threads, order: .roundRobin) {
        let count = ExclusiveProtector(0)
        return { _ in count.withLock { $0 += 1 } }
      }
      let writes = try countLines(threads: threads, order: .roundRobin) {
        let count = Protector(0)
        return { _ in count.withWriteLock { $0 += 1 } }
      }
      for costs in [exclusive, writes] {
        #expect(costs.most(\.transfers) == (threads == 1 ? 0 : 1))
        #expect(costs.most(\.invalidations) == (threads == 1 ? 0 : 1))
      }
    }
  }

  // MARK: Locks to compare with

  private final class TicketLock: Sendable {
    private let next = AtomicWord()
    private let served = AtomicWord()
    private let distance = Padding()

    func lock() {
      let ticket = next.add(1, .relaxed)
      while served.load(.acquiring) != ticket { spinLoopHint() }
    }

    func unlock() { served.store(served.load(.relaxed) + 1, .releasing) }
  }

  /// The lock of Mellor-Crummey and Scott (1991).
  private final class QueueLock: Sendable {
    private final class Node: Sendable {
      private let before = Padding()
      let isWaiting = AtomicWord()
      /// The number of the next node, and 1; 0 if there is none.
      let next = AtomicWord()
      private let after = Padding()
    }

    private let before = Padding()
    private let last = AtomicWord()
    private let after = Padding()
    private let nodes: [Node]

    init(threads: Int) { nodes = (0..<threads).map { _ in Node() } }

    func lock(_ thread: Int) {
      nodes[thread].next.store(0, .relaxed)
      let previous = last.exchange(UInt64(thread) + 1, .acquiringAndReleasing)
      if previous == 0 { return }
      nodes[thread].isWaiting.store(1, .relaxed)
      nodes[Int(previous) - 1].next.store(UInt64(thread) + 1, .releasing)
      while nodes[thread].isWaiting.load(.acquiring) != 0 { spinLoopHint() }
    }

    func unlock(_ thread: Int) {
      var next = nodes[thread].next.load(.acquiring)
      if next == 0 {
        if last.compareExchange(expected: UInt64(thread) + 1, desired: 0, .releasing).exchanged { return }
        while next == 0 {
          spinLoopHint()
          next = nodes[thread].next.load(.acquiring)
        }
      }
      nodes[Int(next) - 1].isWaiting.store(0, .releasing)
    }
  }

  private final class TestAndSetLock: Sendable {
    private let word = AtomicWord()

    func lock() {
      while word.exchange(1, .acquiring) != 0 { spinLoopHint() }
    }

    func unlock() { word.store(0, .releasing) }
  }

  /// Keeps the words before and after it in different lines.
  private struct Padding: Sendable {
    private let words = (0, 0, 0, 0, 0, 0, 0, 0)
  }

  private final class Box<Value: ~Copyable & Sendable>: Sendable {
    let value: Value
    init(_ value: consuming Value) { self.value = value }
  }
#endif
