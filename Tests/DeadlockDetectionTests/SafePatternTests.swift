#if DeadlockDetection
  import AsyncLocks
  import AtomicProperties
  import DeadlockDetection
  import Dispatch
  import Jobs
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
    @Test(arguments: safePrograms)
    func nothingIsReported(program: DetectorProgram) async {
      await #expect(processExitsWith: .success) { [name = program.name as String] in
        await Self.safePrograms.first { $0.name == name }!.run()
      }
    }

    static let safePrograms: [DetectorProgram] = [
      .safe("one order everywhere") {
        let locks = (0..<3).map { _ in Boxed() }
        race(threads: 4) { _ in
          for _ in 0..<100 {
            locks[0].lock.withLock { locks[1].lock.withLock { locks[2].lock.withLock {} } }
            locks[0].lock.withLock { locks[2].lock.withLock {} }
          }
        }
      },
      .safe("jobs in a section, whose completion runs after it") {
        let hasCompleted = Signal()
        Boxed().lock.withLock {
          withJobs { _ in
          } completion: {
            hasCompleted.send()
          }
        }
        hasCompleted.wait()
      },
      .safe("hand over hand along a list of two classes") {
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
      },
      .safe("locks of a class inside others of the class") {
        DeadlockDetector.learnsClassOrders = true
        let parents = (0..<3).map { _ in Node() }
        for index in 1..<3 {
          let (parent, child) = (parents[index - 1], parents[index])
          parent.entry.withLock { parent.link.withLock { child.entry.withLock { child.link.withLock {} } } }
        }
      },
      .safe("classes in both orders under a gate lock of each object") {
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
      },
      .safe("classes in both orders with the action that traps") {
        Node.lockInBothOrders()
      },
      .safe("classes in both orders without the order of classes") {
        DeadlockDetector.action = .call { report in preconditionFailure(report.text) }
        DeadlockDetector.learnsClassOrders = false
        Node.lockInBothOrders()
      },
      .safe("classes that are only read") {
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
      },
      .safe("classes that are tried in the other order") {
        DeadlockDetector.learnsClassOrders = true
        let first = Node()
        first.entry.withLock { first.link.withLock {} }
        let second = Node()
        second.link.withLock { _ = second.entry.withLockIfAvailable {} }
      },
      // The orders of classes must be forgotten, and not be reported at the first write.
      .safe("classes in both orders before the action that traps") {
        DeadlockDetector.action = .print
        let one = ReadPair()
        let two = ReadPair()
        one.first.withReadLock { _ in one.second.withReadLock { _ in } }
        two.second.withReadLock { _ in two.first.withReadLock { _ in } }
        DeadlockDetector.action = .trap
        one.first.withWriteLock { _ in }
        one.second.withWriteLock { _ in }
      },
      // The detector tracks 64 held locks, and the common one is not among them.
      .safe("both orders under a common lock after64 others") {
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
      },
      .safe("a cycle under a gate lock is no deadlock") {
        let gate = UnfairLock()
        let forks = (0..<3).map { _ in Boxed() }
        race(threads: 3) { thread in
          for _ in 0..<100 {
            gate.withLock { forks[thread].lock.withLock { forks[(thread + 1) % 3].lock.withLock {} } }
          }
        }
      },
      .safe("attempts in the other order, once and for a time") {
        let first = Protector(0)
        let second = Protector(0)
        first.withWriteLock { _ in second.withWriteLock { _ in } }
        second.withWriteLock { _ in
          _ = first.withWriteLockIfAvailable { _ in }
          _ = unlessTimedOut { try first.withReadLock(timeout: .milliseconds(10)) { $0 } }
        }
      },
      .safe("readers that no writer meets") {
        let first = CompactReadWriteLock()
        let second = CompactReadWriteLock()
        first.withReadLock { second.withReadLock {} }
        second.withReadLock { first.withReadLock {} }
      },
      .safe("nested reads of a lock that admits them") {
        let lock = BiasedReadWriteLock()
        race(threads: 4) { thread in
          for _ in 0..<100 {
            if thread == 0 { lock.withWriteLock {} }
            lock.withReadLock { lock.withReadLock { lock.withReadLock {} } }
          }
        }
      },
      .safe("several protectors at once in any order") {
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
      },
      // A writer without the outer lock can make the predicate true.
      .safe("waiting for a predicate inside a lock of some of its writers") {
        let outer = UnfairLock()
        let mine = UnfairLock()
        let items = Protector<[Int]>([])
        outer.withLock { items.withWriteLock { $0.append(1) } }
        mine.withLock { items.withWriteLock { $0.append(2) } }
        outer.withLock { items.withWriteLock(waitingUntil: { !$0.isEmpty }) { _ = $0.removeFirst() } }
      },
      // The copy makes no predicate true.
      .safe("a copy of a value inside a lock") {
        let lock = UnfairLock()
        let count = ExclusiveProtector(1)
        lock.withLock { precondition(count.value == 1) }
        lock.withLock { count.withLock(waitingUntil: { $0 == 1 }) { _ in } }
      },
      .safe("a wait for several values that gives up") {
        let pair = [Protector(1), Protector(1)]
        for index in 0...1 {
          PlatformThread {
            _ = unlessTimedOut {
              try withWriteLocks(pair[0], pair[1], waitingUntil: { $0 > 5 && $1 > 5 }, timeout: .zero) {
                _, _ in
                1
              }
            }
          }.join()
          pair[index].withWriteLock { _ in pair[1 - index].withWriteLock(waitingUntil: { $0 > 0 }) { _ in } }
          DeadlockDetector.forgetAll()
        }
      },
      .safe("a lazy value inside a lock that its initializer does not need") {
        let lock = UnfairLock()
        let other = UnfairLock()
        let size = Lazy { other.withLock { 3 } }
        race(threads: 4) { _ in lock.withLock { _ = size.value } }
      },
      .safe("invalidating inside a delivery") {
        let lock = UnfairLock()
        let lifecycle = Lifecycle(label: "feed")
        lifecycle.activate()
        race(threads: 4) { thread in
          for _ in 0..<100 { lifecycle.whileActive { lock.withLock {} } }
          if thread == 0 { lifecycle.whileActive { _ = lifecycle.invalidate() } }
        }
      },
      .safe("activating again inside a delivery") {
        let lock = UnfairLock()
        let lifecycle = Lifecycle(label: "feed")
        lifecycle.activate { lock.withLock {} }
        race(threads: 4) { _ in
          lifecycle.whileActive { lock.withLock { _ = lifecycle.activate() } }
        }
        await lifecycle.invalidate()
      },
      .safe("a bounded queue used under a lock that it does not need") {
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
      },
      .safe("one order of mutexes and permits") {
        let downloads = AsyncSemaphore(permits: 2)
        let mutexes = (0..<2).map { _ in AsyncMutex(0) }
        await withTaskGroup { group in
          for _ in 0..<8 {
            group.addTask {
              for _ in 0..<50 {
                await downloads.withPermit {
                  await mutexes[0].withLock { first in
                    first += 1
                    await Task.yield()
                    await mutexes[1].withLock { $0 += 1 }
                  }
                }
              }
            }
          }
        }
      },
      .safe("tries and timeouts in the other order") {
        let (first, second) = (AsyncMutex(0), AsyncMutex(0))
        await first.withLock { _ in await second.withLock { _ in } }
        await second.withLock { _ in
          _ = await first.withLockIfAvailable { _ in }
          try? await first.withLock(timeout: .milliseconds(1)) { _ in }
        }
      },
      // The detector must report nothing: with a timeout of zero, the predicate is checked once and the task
      // never waits, so it can't take part in a deadlock.
      .safe("a predicate checked once inside the mutex of its writers") {
        let session = AsyncMutex(0)
        let items = Protector<[Int]>([])
        await session.withLock { _ in items.withWriteLock { $0 += [1, 2] } }
        await session.withLock { _ in
          _ = try? await items.withWriteLock(waitingUntil: { !$0.isEmpty }, timeout: .zero) {
            $0.removeFirst()
          }
          _ = try? await items.withReadLock(waitingUntil: { !$0.isEmpty }, timeout: .zero) { $0.count }
        }
      },
      .safe("mutexes in both orders under a gate lock") {
        let (first, second) = (AsyncMutex(0), AsyncMutex(0))
        let gate = AsyncSemaphore(permits: 1)
        await gate.withPermit { await first.withLock { _ in await second.withLock { _ in } } }
        await gate.withPermit { await second.withLock { _ in await first.withLock { _ in } } }
      },
      .safe("locks of threads in both orders under a mutex") {
        let gate = AsyncMutex(0)
        let (first, second) = (ExclusiveProtector(0), ExclusiveProtector(0))
        await gate.withLock { _ in first.withLock { _ in second.withLock { _ in } } }
        await gate.withLock { _ in second.withLock { _ in first.withLock { _ in } } }
      },
      .safe("nested reads under a mutex") {
        let mutex = AsyncMutex(0)
        let protector = Protector(1)
        protector.withWriteLock { $0 = 2 }
        await mutex.withLock { _ in
          protector.withReadLock { _ in protector.withReadLock { _ in } }
        }
      },
      .safe("nested permits and other tasks") {
        let downloads = AsyncSemaphore(permits: 3)
        let session = AsyncMutex(0)
        await downloads.withPermit { await downloads.withPermit { await session.withLock { _ in } } }
        // A task that is started inside a critical section does not inherit the held mutex, so its permit
        // adds no edge.
        let task = await session.withLock { _ in Task { await downloads.withPermit {} } }
        await task.value
      },
    ]

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
