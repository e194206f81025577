#if Exploration && ShippedLayout
  import AtomicProperties
  import Exploration
  import LazyInitialization
  import Protectors
  import ReadWriteLocks
  import Snapshots
  import Testing

  @Suite(.serialized) struct ReaderLineTests {
    @Test(arguments: scenarios) func costsWhatTheTableSays(scenario: Scenario) throws { try scenario.check() }

    static let scenarios: [Scenario] = [
      .threads("BiasedReadWriteLock, counted: a read") { _ in
        let lock = Box(BiasedReadWriteLock(bias: .counted))
        return { _ in lock.value.withReadLock {} }
      },
      .threads("BiasedReadWriteLock, in slots: a read", [.movesNoLine]) { _ in
        let lock = Box(BiasedReadWriteLock(bias: .slots))
        return { _ in lock.value.withReadLock {} }
      },
      .threads("BiasedReadWriteLock, in slots: a nested read", [.movesNoLine]) { _ in
        let lock = Box(BiasedReadWriteLock(bias: .slots))
        return { _ in
          lock.value.withReadLock { countOnly { lock.value.withReadLock {} } }
        }
      },
      .threads("BiasedReadWriteLock, in slots: a read in a read of another lock, a sample") { _ in
        let (first, second) = (Box(BiasedReadWriteLock(bias: .slots)), Box(BiasedReadWriteLock(bias: .slots)))
        return { _ in first.value.withReadLock { second.value.withReadLock {} } }
      },
      .threads("BiasedReadWriteLock, in slots: a write after a read by each other", orders: [.roundRobin]) {
        _ in
        let lock = Box(BiasedReadWriteLock(bias: .slots))
        return { thread in
          if thread == 0 { return lock.value.withWriteLock {} }
          leaveOut()
          lock.value.withReadLock {}
        }
      },
      .threads("BiasedReadWriteLock, in slots: a read after a write", orders: [.roundRobin]) { _ in
        let lock = Box(BiasedReadWriteLock(bias: .slots))
        return { thread in
          if thread > 0 { return lock.value.withReadLock {} }
          leaveOut()
          lock.value.withWriteLock {}
        }
      },
      .callers(1, "BiasedReadWriteLock, in slots: another write by the same thread", [.movesNoLine]) {
        beside in
        let lock = Box(BiasedReadWriteLock(bias: .slots))
        beside.run = { _ in lock.value.withReadLock {} }
        return { _ in lock.value.withWriteLock {} }
      },
      .threads("Protector: 1021 reads, one of them a sample", orders: [.roundRobin], warmUp: 2, calls: 1) {
        _ in
        let value = Protector(CountedValue())
        return { _ in for _ in 0..<1021 { _ = value.withReadLock { $0.read() } } }
      },
      .threads("Snapshot: a read", [.movesNoLine]) { _ in
        let snapshot = Snapshot(1)
        return { _ in _ = snapshot.withCurrent { $0 } }
      },
      .threads("Snapshot: a publication after a read by each other", orders: [.roundRobin]) { _ in
        let snapshot = Snapshot(1)
        return { thread in
          if thread == 0 { return snapshot.publish(2) }
          leaveOut()
          _ = snapshot.withCurrent { $0 }
        }
      },
      .threads("Snapshot: a read after a publication", orders: [.roundRobin]) { _ in
        let snapshot = Snapshot(1)
        return { thread in
          if thread > 0 { return _ = snapshot.withCurrent { $0 } }
          leaveOut()
          snapshot.publish(2)
        }
      },
      .threads("Once, complete: a call", [.movesNoLine]) { _ in
        let once = Box(Once())
        return { _ in once.value.run {} }
      },
      .threads("OnceCell, complete: a read", [.movesNoLine]) { _ in
        let cell = Box(OnceCell<Int>())
        return { _ in _ = cell.value.value { 1 } }
      },
      .threads("LockFreeProperty: a read", [.movesNoLine]) { _ in
        let property = LockFreeProperty(1)
        return { _ in _ = property.value }
      },
      .threads("AtomicProperty: a read") { _ in
        let property = AtomicProperty(1)
        return { _ in _ = property.value }
      },
    ]
  }
#endif
