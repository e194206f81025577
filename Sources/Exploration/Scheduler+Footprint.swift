#if Exploration
  internal import InterlockCore

  extension Scheduler {
    // The numbers of the objects in a `Footprint`: 0 stands for no object, 1 for the clock, 2 for the
    // fences and 3 for barriers on all threads. Words have the even numbers from 4, and queues of sleeping
    // threads the odd numbers from 5.

    private static let clockObject = 1
    private static let fenceObject = 2
    /// The object that stands for barriers on all threads.
    ///
    /// Each operation on a word reads this object or `fenceObject`, and a barrier writes both. A barrier thus
    /// depends on each operation, but two operations that only read these objects stay independent.
    private static let barrierObject = 3

    /// The objects that a thread's next step reads and writes.
    func footprint(_ thread: ExecutionThread) -> Footprint {
      if thread.hasEnded { return .local }
      if !tasks.isEmpty { return Footprint(isOfTasks: true) }
      switch thread.pending {
      case .operation(let operation, let word):
        if operation.kind == .fence {
          return Footprint(object: Self.fenceObject, writes: true)
        }
        if operation.kind == .processBarrier {
          return Footprint(
            object: Self.fenceObject, writes: true, other: Self.barrierObject, writesOther: true)
        }
        let isConsistent = operation.ordering == .sequentiallyConsistent
        // A compare-exchange reads the latest value, so its failure is known beforehand, and it then counts
        // as a load. A load counts as a read unless it narrows what later loads may return.
        let loads =
          operation.kind == .load
          || operation.kind == .compareExchange && memory.latest(word: word).value != operation.expected
        let writes = !loads || isConsistent && memory.admitsConsistentOldValues(word: word)
        return Footprint(
          object: 4 + 2 * word, writes: writes, other: isConsistent ? Self.fenceObject : Self.barrierObject,
          waits: mayWait(thread, operation), findsFree: writes && memory.latest(word: word).value == 0)
      case .sleep(let queue, let word, let expected, let deadline):
        let sleeps = memory.latest(word: word).value == expected
        // A wait that finds a value other than `expected` does not sleep, but the clock may advance to its
        // deadline.
        let other = sleeps ? queue : mayBecomeLate(deadline) ? Self.clockObject : 0
        return Footprint(object: 4 + 2 * word, other: other, writesOther: other != 0)
      case .wake(let queue): return Footprint(object: queue, writes: true)
      case .sleeping(let queue, let deadline):
        return deadline == .never && !mayWakeUpSpuriously(thread)
          ? .local : Footprint(object: queue, writes: true, other: Self.clockObject, writesOther: true)
      case .clock: return Footprint(object: Self.clockObject)
      case .spinning(let deadline) where mayBecomeLate(deadline):
        return Footprint(object: Self.clockObject, writes: true)
      case .observation: return Footprint(dependsOnAll: true)
      case .start, .join, .spinning, .wakeUp: return .local
      case .job, .enter, .leave, .nextJob, .mutex, .suspended: return .local
      }
    }
  }
#endif
