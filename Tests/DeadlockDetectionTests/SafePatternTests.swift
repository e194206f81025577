#if DeadlockDetection
  import AtomicProperties
  import DeadlockDetection
  import LazyInitialization
  import Lifecycles
  import Protectors
  import ReadWriteLocks
  import TestSupport
  import Testing
  import InterlockCore
  import UnfairLocks

  /// Tests that the detector reports nothing for patterns that can't deadlock.
  ///
  /// Each pattern runs in a process of its own, in which a report would trap and make the test fail.
  @Suite struct SafePatternTests {
    @Test func oneOrderEverywhere() async {
      await #expect(processExitsWith: .success) {
        let locks = (0..<3).map { _ in Boxed() }
        race(threads: 4) { _ in
          for _ in 0..<100 {
            locks[0].lock.withLock { locks[1].lock.withLock { locks[2].lock.withLock {} } }
            locks[0].lock.withLock { locks[2].lock.withLock {} }
          }
        }
      }
    }

    @Test func handOverHandAlongAList() async {
      await #expect(processExitsWith: .success) {
        let list = (0..<20).map { _ in Boxed() }
        race(threads: 4) { _ in
          for index in 1..<20 { list[index - 1].lock.withLock { list[index].lock.withLock {} } }
        }
      }
    }

    @Test func handOverHandAlongAListOfTwoClasses() async {
      await #expect(processExitsWith: .success) {
        let nodes = (0..<10).map { _ in Node() }
        onAnotherThread {
          nodes[0].entry.unsafeLock()
          for index in 0..<10 {
            nodes[index].link.unsafeLock()
            nodes[index].entry.unsafeUnlock()
            if index < 9 { nodes[index + 1].entry.unsafeLock() }
            nodes[index].link.unsafeUnlock()
          }
        }
      }
    }

    @Test func locksOfAClassInsideOthersOfTheClass() async {
      await #expect(processExitsWith: .success) {
        DeadlockDetector.learnsClassOrders = true
        let parents = (0..<3).map { _ in Node() }
        for index in 1..<3 {
          let (parent, child) = (parents[index - 1], parents[index])
          parent.entry.withLock { parent.link.withLock { child.entry.withLock { child.link.withLock {} } } }
        }
      }
    }

    @Test func classesInBothOrdersUnderAGateLockOfEachObject() async {
      await #expect(processExitsWith: .success) {
        DeadlockDetector.learnsClassOrders = true
        for index in 0..<10 {
          let node = Node()
          node.gate.withLock {
            if index % 2 == 0 {
              node.entry.withLock { node.link.withLock {} }
            } else {
              node.link.withLock { node.entry.withLock {} }
            }
          }
        }
      }
    }

    @Test func classesInBothOrdersWithTheActionThatTraps() async {
      await #expect(processExitsWith: .success) { Node.lockInBothOrders() }
    }

    @Test func classesInBothOrdersWithoutTheOrderOfClasses() async {
      await #expect(processExitsWith: .success) {
        DeadlockDetector.action = .call { report in preconditionFailure(report.text) }
        DeadlockDetector.learnsClassOrders = false
        Node.lockInBothOrders()
      }
    }

    @Test func classesThatAreOnlyRead() async {
      await #expect(processExitsWith: .success) {
        DeadlockDetector.learnsClassOrders = true
        for index in 0..<10 {
          let first = Protector(0)
          let second = Protector(0)
          if index % 2 == 0 {
            first.withReadLock { _ in second.withReadLock { _ in } }
          } else {
            second.withReadLock { _ in first.withReadLock { _ in } }
          }
        }
      }
    }

    @Test func classesThatAreTriedInTheOtherOrder() async {
      await #expect(processExitsWith: .success) {
        DeadlockDetector.learnsClassOrders = true
        let first = Node()
        first.entry.withLock { first.link.withLock {} }
        let second = Node()
        second.link.withLock { _ = second.entry.withLockIfAvailable {} }
      }
    }

    /// The orders of classes must be forgotten, and not be reported at the first write.
    @Test func classesInBothOrdersBeforeTheActionThatTraps() async {
      await #expect(processExitsWith: .success) {
        DeadlockDetector.action = .print
        let one = ReadPair()
        let two = ReadPair()
        one.first.withReadLock { _ in one.second.withReadLock { _ in } }
        two.second.withReadLock { _ in two.first.withReadLock { _ in } }
        DeadlockDetector.action = .trap
        one.first.withWriteLock { _ in }
        one.second.withWriteLock { _ in }
      }
    }

    /// The detector tracks 64 held locks, and the common one is not among them.
    @Test func bothOrdersUnderACommonLockAfter64Others() async {
      await #expect(processExitsWith: .success) {
        onAnotherThread {
          let common = UnfairLock()
          let pair = [Boxed(), Boxed()]
          for order in [pair, pair.reversed()] {
            let others = (0..<64).map { _ in Boxed() }
            for other in others { other.lock.unsafeLock() }
            common.unsafeLock()
            others[0].lock.unsafeUnlock()
            for one in order { one.lock.unsafeLock() }
            for one in order { one.lock.unsafeUnlock() }
            common.unsafeUnlock()
            for other in others.dropFirst() { other.lock.unsafeUnlock() }
          }
        }
      }
    }

    @Test func theOrderOfAddresses() async {
      await #expect(processExitsWith: .success) {
        let accounts = (0..<5).map { _ in Boxed() }
        race(threads: 4) { thread in
          for step in 0..<100 {
            let pair = [accounts[(step + thread) % 5], accounts[(step * 3 + thread + 1) % 5]]
              .sorted { ObjectIdentifier($0) < ObjectIdentifier($1) }
            if pair[0] === pair[1] { continue }
            pair[0].lock.withLock { pair[1].lock.withLock {} }
          }
        }
      }
    }

    @Test func aCycleUnderAGateLockIsNoDeadlock() async {
      await #expect(processExitsWith: .success) {
        let gate = UnfairLock()
        let forks = (0..<3).map { _ in Boxed() }
        race(threads: 3) { thread in
          for _ in 0..<100 {
            gate.withLock { forks[thread].lock.withLock { forks[(thread + 1) % 3].lock.withLock {} } }
          }
        }
      }
    }

    @Test func tryingInTheOtherOrder() async {
      await #expect(processExitsWith: .success) {
        let first = UnfairLock()
        let second = UnfairLock()
        first.withLock { second.withLock {} }
        second.withLock { _ = first.withLockIfAvailable {} }
      }
    }

    @Test func aTimeoutInTheOtherOrder() async {
      await #expect(processExitsWith: .success) {
        let first = Protector(0)
        let second = Protector(0)
        first.withWriteLock { _ in second.withWriteLock { _ in } }
        second.withWriteLock { _ in _ = first.withReadLock(timeout: .milliseconds(10)) { $0 } }
      }
    }

    @Test func readersThatNoWriterMeets() async {
      await #expect(processExitsWith: .success) {
        let first = CompactReadWriteLock()
        let second = CompactReadWriteLock()
        first.withReadLock { second.withReadLock {} }
        second.withReadLock { first.withReadLock {} }
      }
    }

    @Test func nestedReadsOfALockThatAdmitsThem() async {
      await #expect(processExitsWith: .success) {
        let lock = BiasedReadWriteLock()
        race(threads: 4) { thread in
          for _ in 0..<100 {
            if thread == 0 { lock.withWriteLock {} }
            lock.withReadLock { lock.withReadLock { lock.withReadLock {} } }
          }
        }
      }
    }

    @Test func severalProtectorsAtOnceInAnyOrder() async {
      await #expect(processExitsWith: .success) {
        let first = Protector(0)
        let second = Protector(0)
        race(threads: 4) { thread in
          for _ in 0..<100 {
            if thread % 2 == 0 {
              withWriteLocks(first, second) {
                $0 += 1; $1 += 1
              }
            } else {
              withWriteLocks(second, first) {
                $0 += 1; $1 += 1
              }
            }
          }
        }
      }
    }

    /// The copy makes no predicate true.
    @Test func aCopyOfAValueInsideALock() async {
      await #expect(processExitsWith: .success) {
        let lock = UnfairLock()
        let count = ExclusiveProtector(1)
        lock.withLock { precondition(count.value == 1) }
        lock.withLock { count.withLock(waitingUntil: { $0 == 1 }) { _ in } }
      }
    }

    @Test func aWaitForSeveralValuesThatGivesUp() async {
      await #expect(processExitsWith: .success) {
        let pair = [Protector(1), Protector(1)]
        for index in 0...1 {
          PlatformThread {
            _ = withWriteLocks(pair[0], pair[1], waitingUntil: { $0 > 5 && $1 > 5 }, timeout: .zero) { _, _ in
              1
            }
          }.join()
          pair[index].withWriteLock { _ in pair[1 - index].withWriteLock(waitingUntil: { $0 > 0 }) { _ in } }
          DeadlockDetector.forgetAll()
        }
      }
    }

    @Test func aLazyValueInsideALockThatItsInitializerDoesNotNeed() async {
      await #expect(processExitsWith: .success) {
        let lock = UnfairLock()
        let other = UnfairLock()
        let size = Lazy { other.withLock { 3 } }
        race(threads: 4) { _ in lock.withLock { _ = size.value } }
      }
    }

    @Test func invalidatingInsideADelivery() async {
      await #expect(processExitsWith: .success) {
        let lock = UnfairLock()
        let lifecycle = Lifecycle(label: "feed")
        lifecycle.activate()
        race(threads: 4) { thread in
          for _ in 0..<100 { lifecycle.whileActive { lock.withLock {} } }
          if thread == 0 { lifecycle.whileActive { _ = lifecycle.invalidate() } }
        }
      }
    }

    @Test func activatingAgainInsideADelivery() async {
      await #expect(processExitsWith: .success) {
        let lock = UnfairLock()
        let lifecycle = Lifecycle(label: "feed")
        lifecycle.activate { lock.withLock {} }
        race(threads: 4) { _ in
          lifecycle.whileActive { lock.withLock { _ = lifecycle.activate() } }
        }
        await lifecycle.invalidate()
      }
    }

    @Test func aBoundedQueueUsedUnderALockThatItDoesNotNeed() async {
      await #expect(processExitsWith: .success) {
        let queue = Protector<[Int]>([])
        let consumers = UnfairLock()
        let producer = PlatformThread {
          for value in 0..<100 { queue.withWriteLock(waitingUntil: { $0.count < 4 }) { $0.append(value) } }
        }
        for _ in 0..<100 {
          consumers.withLock {
            queue.withWriteLock(waitingUntil: { !$0.isEmpty }) { _ = $0.removeFirst() }
          }
        }
        producer.join()
      }
    }

    private final class Node: Sendable {
      let gate = UnfairLock(label: "gate")
      let entry = UnfairLock(label: "entry")
      let link = UnfairLock(label: "link")

      /// Locks nodes in an order that the data of each node could decide.
      static func lockInBothOrders() {
        for index in 0..<10 {
          let node = Node()
          if index % 2 == 0 {
            node.entry.withLock { node.link.withLock {} }
          } else {
            node.link.withLock { node.entry.withLock {} }
          }
        }
      }
    }

    private final class ReadPair: Sendable {
      let first = Protector(0)
      let second = Protector(0)
    }

    private final class Boxed: Sendable {
      let lock = UnfairLock(label: "account")
    }
  }
#endif
