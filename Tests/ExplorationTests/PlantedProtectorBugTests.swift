#if Exploration
  import AtomicProperties
  import Exploration
  import LazyInitialization
  import Lifecycles
  import Protectors
  import Snapshots
  import Synchronization
  import TestSupport
  import Testing

  /// Bugs planted in programs on `Protector`, and their repaired versions.
  ///
  /// The tests use only the public interface, with the strategy that the article of `Exploration` recommends
  /// first.
  @Suite(.serialized)
  struct PlantedProtectorBugTests {
    typealias Program = @Sendable (_ run: Execution, _ isRepaired: Bool) -> Void

    static let programs: [(name: String, reason: String, program: Program)] = [
      ("a closed queue does not wake those that wait for elements", "Deadlock", closableQueue),
      ("a barrier counts the arrivals of two rounds together", "Deadlock", barrier),
      ("a sum of two protectors is read in two sections", "the sum changed", sum),
      ("a permit is returned after a timeout", "more permits than at first", permits),
      ("a connection's state is checked before its use", "used after its end", connection),
      ("an observer is called from a copy of the list", "called after its removal", observers),
      ("a relaxed flag skips the lock", "Data race", flag),
      ("a snapshot is published without the updates in between", "an update was lost", snapshot),
      ("two users both see that they were the last one", "closed 2 times", lastUser),
      ("two lazy values need each other", "initialized from inside its own initializer", lazyValues),
    ]

    @Test(arguments: programs.indices)
    func bugsAreFoundAndReplayed(_ index: Int) throws {
      let (name, reason, program) = Self.programs[index]
      let failure = #expect(throws: ExplorationFailure.self, "\(name)") {
        try explore(
          .exhaustive(preemptions: 2), limits: ExplorationLimits(duration: .seconds(1_200), namesLines: false)
        ) { program($0, false) }
      }
      guard let failure else { return }
      #expect(failure.reason.contains(reason), "\(name)")
      let replayed = #expect(throws: ExplorationFailure.self, "\(name)") {
        try explore(.replay(failure.replay), limits: ExplorationLimits(namesLines: false)) {
          program($0, false)
        }
      }
      #expect(replayed?.reason == failure.reason && replayed?.steps.count == failure.steps.count, "\(name)")
    }

    /// The limit is that of a call without limits.
    @Test(arguments: programs.indices)
    func bugsAreFoundByDefault(_ index: Int) throws {
      let (name, reason, program) = Self.programs[index]
      let failure = #expect(throws: ExplorationFailure.self, "\(name)") {
        try explore(limits: ExplorationLimits(namesLines: false)) { program($0, false) }
      }
      print("found by default, \(name): \(failure?.executions ?? 0) executions")
      #expect(failure?.reason.contains(reason) == true, "\(name)")
    }

    @Test(arguments: programs.indices)
    func repairedProgramsPass(_ index: Int) throws {
      try explore(
        .exhaustive(preemptions: 2),
        limits: ExplorationLimits(executions: 2_000, acceptsUnfinishedSearch: true)
      ) {
        Self.programs[index].program($0, true)
      }
    }

    /// Explores two puts and two takes on a closable buffer for one element.
    ///
    /// The search must try all its schedules within the time limit.
    @Test func aSearchOfAClosableBufferEnds() throws {
      try check("a closable buffer on Protector", .exhaustive(preemptions: 1)) { run in
        let state = Protector<(element: Int?, isClosed: Bool)>((nil, false))
        let putter = run.thread {
          for element in 1...2 {
            state.withWriteLock(waitingUntil: { $0.element == nil || $0.isClosed }) { $0.element = element }
          }
          state.withWriteLock { $0.isClosed = true }
        }
        let taker = run.thread {
          (1...2).map { _ in
            state.withWriteLock(waitingUntil: { $0.element != nil || $0.isClosed }) { $0.element.take() }
          }
        }
        putter.join()
        run.expect(taker.join() == [1, 2], "the elements leave in their order")
      }
    }

    static let closableQueue: Program = { run, isRepaired in
      struct State {
        var elements: [Int] = []
        var isClosed = false
      }
      let state = Protector(State())
      let take: @Sendable () -> Int? = {
        state.withWriteLock(waitingUntil: { !$0.elements.isEmpty || isRepaired && $0.isClosed }) {
          $0.elements.isEmpty ? nil : $0.elements.removeFirst()
        }
      }
      let takers = [run.thread(take), run.thread(take)]
      let putter = run.thread {
        state.withWriteLock { $0.elements.append(1) }
        state.withWriteLock { $0.isClosed = true }
      }
      putter.join()
      run.expect(takers.compactMap { $0.join() } == [1], "the element is taken once")
    }

    static let barrier: Program = { run, isRepaired in
      struct State {
        var arrived = 0
        var round = 0
      }
      let state = Protector(State())
      let arrive: @Sendable () -> Void = {
        let round = state.withWriteLock { state in
          let round = state.round
          state.arrived += 1
          if state.arrived == 2 && isRepaired { (state.arrived, state.round) = (0, round + 1) }
          return round
        }
        if isRepaired {
          state.withReadLock(waitingUntil: { $0.round > round }) { _ in }
        } else {
          state.withWriteLock(waitingUntil: { $0.arrived == 2 || $0.round > round }) { state in
            state.arrived = 0
            state.round += 1
          }
        }
      }
      let rounds: @Sendable () -> Void = {
        arrive()
        arrive()
      }
      run.inThreads(rounds, rounds)
    }

    static let sum: Program = { run, isRepaired in
      let left = Protector(60)
      let right = Protector(40)
      let mover = run.thread {
        withWriteLocks(left, right) {
          $0 -= 10
          $1 += 10
        }
      }
      let sum =
        isRepaired
        ? withWriteLocks(left, right) { $0 + $1 } : left.withReadLock { $0 } + right.withReadLock { $0 }
      run.expect(sum == 100, "the sum changed")
      mover.join()
    }

    static let permits: Program = { run, isRepaired in
      let permits = Protector(1)
      let work: @Sendable () -> Void = {
        let hasPermit = !timesOut {
          try permits.withWriteLock(waitingUntil: { $0 > 0 }, timeout: .seconds(1)) { $0 -= 1 }
        }
        if hasPermit || !isRepaired { permits.withWriteLock { $0 += 1 } }
      }
      run.inThreads(work, work)
      run.expect(permits.value == 1, "more permits than at first")
    }

    static let connection: Program = { run, isRepaired in
      let lifecycle = Lifecycle()
      let isOpen = Protector(false)
      lifecycle.activate { isOpen.withWriteLock { $0 = true } }
      let use = { @Sendable in run.expect(isOpen.withReadLock { $0 }, "used after its end") }
      let user = run.thread {
        if isRepaired {
          lifecycle.whileActive { use() }
        } else if lifecycle.state == .active {
          use()
        }
      }
      lifecycle.invalidate { isOpen.withWriteLock { $0 = false } }
      user.join()
    }

    static let observers: Program = { run, isRepaired in
      let isRemoved = LockFreeProperty(false)
      let call = { @Sendable in
        run.expect(!isRemoved.load(ordering: .acquiring), "called after its removal")
      }
      let observers = Protector<[Int: @Sendable () -> Void]>([1: call, 2: {}])
      let notifier = run.thread {
        if isRepaired {
          observers.withReadLock { for observer in $0.values { observer() } }
        } else {
          for observer in observers.value.values { observer() }
        }
      }
      observers.withWriteLock { $0[1] = nil }
      isRemoved.store(true, ordering: .releasing)
      notifier.join()
    }

    static let flag: Program = { run, isRepaired in
      let configuration = ExploredCell("")
      let lock = Protector(())
      let isLoaded = LockFreeProperty(false)
      let load: @Sendable () -> String = {
        if !(isRepaired ? isLoaded.load(ordering: .acquiring) : isLoaded.load(ordering: .relaxed)) {
          lock.withWriteLock { _ in
            if isLoaded.load(ordering: .relaxed) { return }
            configuration.value = "loaded"
            isLoaded.store(true, ordering: .releasing)
          }
        }
        return configuration.value
      }
      let one = run.thread(load)
      let two = run.thread(load)
      run.expect(one.join() == two.join())
    }

    static let snapshot: Program = { run, isRepaired in
      let settings = Snapshot(["retries": 3])
      let set: @Sendable (String) -> Void = { key in
        if isRepaired {
          settings.update { $0[key] = 1 }
        } else {
          var changed = settings.current
          changed[key] = 1
          settings.publish(changed)
        }
      }
      run.inThreads({ set("a") }, { set("b") })
      run.expect(settings.current.count == 3, "an update was lost")
    }

    static let lastUser: Program = { run, isRepaired in
      let users = Protector(2)
      let closings = LockFreeProperty(0)
      let leave: @Sendable () -> Void = {
        let left =
          isRepaired
          ? users.withWriteLock {
            $0 -= 1
            return $0
          }
          : {
            users.withWriteLock { $0 -= 1 }
            return users.withReadLock { $0 }
          }()
        if left == 0 { closings.wrappingAdd(1, ordering: .relaxed) }
      }
      run.inThreads(leave, leave)
      let count = closings.load(ordering: .relaxed)
      run.expect(count == 1, "closed \(count) times")
    }

    static let lazyValues: Program = { run, isRepaired in
      final class Session: Sendable {
        let name = OnceCell<String>()
        let token = OnceCell<String>()
      }
      let session = Session()
      let token = { @Sendable in
        session.token.value { isRepaired ? "?" : session.name.value { "Ann" } + "?" }
      }
      let one = run.thread { session.name.value { "Ann" + token() } }
      let two = run.thread(token)
      _ = (one.join(), two.join())
    }
  }
#endif
