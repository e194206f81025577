#if DeadlockDetection
  internal import CInterlock
  internal import InterlockCore

  /// Records the threads and tasks that sleep until they acquire a lock, and finds cycles in which each of
  /// them waits for the next one.
  struct BlockedThreads {
    /// A thread or a task that sleeps until it acquires the lock `wanted`.
    ///
    /// While `BlockedThreads` contains the instance, the thread or task holds exactly the locks in `held`.
    struct Thread {
      let party: Party
      let wanted: LockID
      let mode: LockMode
      let held: [(id: LockID, mode: LockMode)]
      /// `nil` if the thread holds no lock and no wait limit is set.
      let stack: LockStack?
      /// When the wait began, in nanoseconds; 0 if no wait limit is set.
      let began: UInt64
      let sleep: UInt64
    }

    private(set) var threads: [Party: Thread] = [:]
    /// For each lock, the sleeping threads and tasks that hold it; `wanting` has those that wait for it.
    ///
    /// Thousands of tasks may wait for one lock. With these dictionaries, the search for a cycle visits only
    /// the threads and tasks that can be its next element.
    private var holding: [LockID: Set<Party>] = [:]
    private var wanting: [LockID: Set<Party>] = [:]
    private var sleeps: UInt64 = 0

    /// Records that a thread or a task will sleep until it acquires a lock, and returns the new entry of
    /// `threads`.
    mutating func add(
      _ party: Party, wanted: LockID, _ mode: LockMode, _ held: [(id: LockID, mode: LockMode)],
      _ stack: LockStack?, began: UInt64
    ) -> Thread {
      remove(party)
      sleeps += 1
      let blocked = Thread(
        party: party, wanted: wanted, mode: mode, held: held, stack: stack, began: began, sleep: sleeps)
      threads[party] = blocked
      wanting[wanted, default: []].insert(party)
      for lock in held { holding[lock.id, default: []].insert(party) }
      return blocked
    }

    mutating func remove(_ party: Party) {
      guard let thread = threads.removeValue(forKey: party) else { return }
      Self.remove(party, of: thread.wanted, from: &wanting)
      for lock in thread.held { Self.remove(party, of: lock.id, from: &holding) }
    }

    private static func remove(_ party: Party, of lock: LockID, from parties: inout [LockID: Set<Party>]) {
      parties[lock]?.remove(party)
      if parties[lock]?.isEmpty == true { parties[lock] = nil }
    }

    func isStillAsleep(_ cycle: [Thread]) -> Bool {
      cycle.allSatisfy { threads[$0.party]?.sleep == $0.sleep }
    }

    /// The shortest cycle of threads that contains `first`; `nil` if there is none.
    ///
    /// Each thread of a cycle is blocked by the next one, and the last one by `first`.
    ///
    /// - Parameter graph: The graph of all locks, which knows the locks that are needed to make a predicate
    ///   true.
    func cycle(closedBy first: Thread, _ graph: LockGraph) -> [Thread]? {
      var cycles = [[first]]
      var seen: Set<Party> = []
      while !cycles.isEmpty {
        var longer: [[Thread]] = []
        for cycle in cycles {
          for next in blockers(of: cycle[cycle.count - 1], graph) {
            if next.party == first.party { return cycle }
            if seen.insert(next.party).inserted { longer.append(cycle + [next]) }
          }
        }
        cycles = longer
      }
      return nil
    }

    /// The sleeping threads and tasks that `thread` must wait for.
    private func blockers(of thread: Thread, _ graph: LockGraph) -> [Thread] {
      var parties: Set<Party> = []
      // If `wanted` is a predicate, every thread that made it true held all of `writerLocks`. Threads that
      // still wait for one of these locks therefore block `thread`.
      for lock in graph.nodes[thread.wanted]?.writerLocks ?? [] { parties.formUnion(wanting[lock] ?? []) }
      for party in holding[thread.wanted] ?? []
      where thread.mode == .write
        || threads[party]!.held.contains(where: { $0.id == thread.wanted && $0.mode == .write })
      {
        parties.insert(party)
      }
      // A reader also waits for a writer that waits for the same lock, because waiting writers exclude new
      // readers.
      if thread.mode == .read {
        parties.formUnion((wanting[thread.wanted] ?? []).filter { threads[$0]!.mode == .write })
      }
      parties.remove(thread.party)
      return parties.map { threads[$0]! }
    }
  }

  extension Detector {
    package func willSleep() -> UInt32 {
      guard let thread = LockingThread.current, thread.locks.isWaiting else { return 0 }
      suspending(thread) { findDeadlock(thread) }
      return thread.locks.number
    }

    package func didWake(_ thread: UInt32) {
      withState { state, _ in state.blocked.remove(.thread(thread)) }
    }

    private func findDeadlock(_ thread: LockingThread) {
      let cycle = withState { state, _ in
        // The last of the held locks is the one that the thread waits for.
        let locks = thread.locks.held
        var held = locks.map(HeldLock.init)
        let wanted = held.removeLast()
        let all = state.tasks.held(by: UInt64(interlock_task_id())) + held
        // Without locks, a wait for a predicate may be that of a thread that has nothing to do.
        let isIdle = all.isEmpty && locks.last!.kind.has(.isPredicate)
        if state.waitLimit != nil, thread.locks.waitBegan == 0, !isIdle {
          thread.locks.waitBegan = interlock_monotonic_ns()
        }
        let blocked = state.blocked.add(
          thread.party, wanted: wanted.id, wanted.mode, all.map { (id: $0.id, mode: $0.mode) },
          all.isEmpty && state.waitLimit == nil ? nil : state.stack(of: thread, held + [wanted]),
          began: thread.locks.waitBegan)
        return state.blocked.cycle(closedBy: blocked, state.graph)
      }
      guard let cycle else { return }
      // Pauses before the report: a reader in the cycle may have been granted its lock, but not have woken up
      // yet. In a real deadlock, all threads of the cycle are still asleep after the pause.
      LockWord().wait(while: 0, until: Deadline(after: .milliseconds(20)))
      withState { state, found in
        guard state.blocked.isStillAsleep(cycle) else { return }
        found.append(.happened(cycle))
      }
    }

    // MARK: Long waits

    @usableFromInline
    package var waitLimit: Duration? {
      get { withState { state, _ in state.waitLimit.map { .nanoseconds(Int64(clamping: $0)) } } }
      set {
        if let newValue, newValue < .zero {
          misuse(
            "DeadlockDetection", "a wait limit of \(text(of: newValue)) is negative", "set nil for no limit")
        }
        let limit = newValue.map { Deadline(after: $0, from: 0) }
        withState { state, _ in state.waitLimit = limit == .never ? nil : limit?.nanoseconds }
        if newValue != nil { LongWaits.watch() }
      }
    }

    /// When to look for long waits; `nil` if there is no limit or no other thread.
    var nextReport: Deadline? {
      withState { state, _ in
        guard let limit = state.waitLimit, !interlock_is_last_thread() else { return nil }
        return Deadline(nanoseconds: state.lastReport + min(max(limit / 4, 1_000_000), 100_000_000))
      }
    }

    /// Reports each wait that is longer than the limit, once.
    func reportLongWaits() {
      guard let thread = LockingThread.current else { return }
      suspending(thread) {
        withState { state, found in
          let now = interlock_monotonic_ns()
          state.lastReport = now
          guard let limit = state.waitLimit else { return }
          for waiting in state.blocked.threads.values
          where waiting.began != 0 && now - waiting.began >= limit {
            let reported = state.reportedWaits.updateValue(waiting.began, forKey: waiting.party)
            if reported == waiting.began { continue }
            found.append(
              .longWait(of: waiting, milliseconds: (now - waiting.began) / 1_000_000, others: state.parties))
          }
        }
      }
    }
  }

  extension Detector.State {
    /// The threads and tasks that hold locks or wait for one, with the IDs of these locks.
    ///
    /// The lowest bits of each ID are flags, as in `ThreadLocks.sharedIDs`.
    var parties: [(party: Party, locks: [UInt64])] {
      var parties = threads.map { (party: $0.party, locks: $0.locks.sharedIDs) }.filter { !$0.locks.isEmpty }
      var tasks = tasks.locks.mapValues { $0.map { $0.id.bits } }
      for waiting in blocked.threads.values {
        guard case .task(let task) = waiting.party else { continue }
        tasks[task, default: []].append(waiting.wanted.bits | ThreadLocks.isPending)
      }
      parties += tasks.map { (party: .task($0), locks: $1) }
      return parties
    }
  }
#endif
