#if Exploration && ShippedLayout
  import AtomicProperties
  import Exploration
  import InterlockCore
  import ReadWriteLocks
  import Testing
  import UnfairLocks

  @Suite(.serialized) struct LockLineTests {
    @Test(arguments: scenarios) func costsWhatTheTableSays(scenario: Scenario) throws { try scenario.check() }

    static let scenarios: [Scenario] = [
      .threads("UnfairLock of each thread: a section", [.movesNoLine]) { threads in
        let locks = (0..<threads).map { _ in Box(UnfairLock()) }
        return { thread in locks[thread].value.withLock {} }
      },
      .threads("UnfairLock: a section") { _ in
        let lock = Box(UnfairLock())
        return { _ in lock.value.withLock {} }
      },
      .threads(
        "UnfairLock: a release beside waiting threads", [.wakesOneAtMost, .isFreeOfWaiters],
        orders: [.roundRobin]
      ) { _ in
        let lock = Box(UnfairLock())
        return { _ in
          lock.value.unsafeLock()
          letOthersWait()
          countOnly { lock.value.unsafeUnlock() }
        }
      },
      .callers(1, "UnfairLock: a timeout beside waiting threads", [.isFreeOfWaiters]) { beside in
        let lock = Box(UnfairLock())
        let isOver = Box(AtomicWord())
        beside.run = { number in
          lock.value.withLock {
            if number == 0 { while isOver.value.load(.relaxed) == 0 { spinLoopHint() } }
          }
        }
        beside.end = { isOver.value.store(1, .relaxed) }
        return { _ in _ = try? lock.value.withLock(timeout: .seconds(1)) {} }
      },
      .threads("CompactReadWriteLock: a write section") { _ in
        let lock = Box(CompactReadWriteLock())
        return { _ in lock.value.withWriteLock {} }
      },
      .threads(
        "CompactReadWriteLock: a release beside waiting writers", [.wakesOneAtMost, .isFreeOfWaiters],
        orders: [.roundRobin]
      ) { _ in
        let lock = Box(CompactReadWriteLock())
        return { _ in
          lock.value.withWriteLock {
            letOthersWait()
            beginCount()
          }
          endCount()
        }
      },
      .threads("SpinReadWriteLock: a write section") { _ in
        let lock = Box(SpinReadWriteLock())
        return { _ in lock.value.withWriteLock {} }
      },
    ]
  }
#endif
