#if Exploration
  import AtomicProperties
  import Exploration
  @testable import InterlockCore
  import InterlockServices
  @testable import InterlockTasks
  @testable import InterlockWaits
  import Testing

  @testable import AsyncLocks

  /// Explores the list of waiting tasks and the state machines of the locks for tasks.
  ///
  /// A thread acts as a task. Where the task would be suspended, the thread sleeps.
  @Suite(.serialized) struct TaskScheduleTests {
    /// A stand-in for a continuation, on which a thread sleeps until it is resumed.
    private final class Suspension: Sendable {
      private let word = LockWord()

      var bits: UInt64 { UInt64(UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())) }

      func sleep() {
        while word.loadAcquiring() == 0 { word.wait(while: 0) }
      }

      func resume(_ run: Execution) {
        run.expect(word.exchangeReleasing(1) == 0, "a continuation is resumed once")
        word.wake(count: 1)
      }
    }

    /// A lock or semaphore for tasks, with the waiters of the tasks and the cell that their sections change.
    private final class Scene<Core: ~Copyable & Sendable>: Sendable {
      let core: Core
      let waiters: [TaskWaiter]
      let suspensions: [Suspension]
      let cell = ExploredCell(0)

      init(_ core: consuming sending Core, needs: [UInt64], hasOwner: Bool = false) {
        self.core = core
        waiters = needs.indices.map {
          TaskWaiter(task: hasOwner ? UInt64($0 + 1) * 16 : 0, needing: needs[$0])
        }
        suspensions = needs.map { _ in Suspension() }
      }

      /// Waits as a task does; returns `false` if the task has given up.
      ///
      /// `mayGiveUp` says whether a thread makes the task give up. Without one, the result is always `true`.
      func wait(_ index: Int, mayGiveUp: Bool) -> Bool {
        if waiters[index].suspend(suspensions[index].bits) { suspensions[index].sleep() }
        return !mayGiveUp || waiters[index].outcomeAfterWaiting == .served
      }

      func resume(_ waiter: TaskWaiter?, _ run: Execution) {
        guard let bits = waiter?.wake() else { return }
        suspensions.first { $0.bits == bits }?.resume(run)
      }

      /// Calls `section` for each task, for the first one on the calling thread, for the others on threads of
      /// their own.
      ///
      /// Meanwhile, a thread for each entry of `givingUp` makes that task give up.
      ///
      /// Returns the number of calls of `section` that returned `true`.
      func perform(
        _ section: @escaping @Sendable (Int) -> Bool,
        _ givingUp: [(task: Int, outcome: TaskWaiter.Outcome)], in queue: TaskWaiterQueue, _ run: Execution,
        handOn: @escaping @Sendable () -> Void = {}
      ) -> Int {
        let others = waiters.indices.dropFirst().map { index in run.thread { section(index) } }
        let leaving = givingUp.map { entry in
          run.thread {
            guard let waiter = queue.giveUp(self.waiters[entry.task], entry.outcome) else { return }
            handOn()
            self.resume(waiter, run)
          }
        }
        var served = section(0) ? 1 : 0
        for other in others where other.join() { served += 1 }
        for thread in leaving { thread.join() }
        return served
      }
    }

    private func mutex(
      _ name: String, tasks: Int, givingUp: [(task: Int, outcome: TaskWaiter.Outcome)],
      _ strategy: ExplorationStrategy, mayEndEarly: Bool = true
    ) throws {
      let cancellable = Set(givingUp.map(\.task))
      try check("AsyncMutex, \(name)", strategy, mayEndEarly: mayEndEarly) { run in
        let scene = Scene(
          AsyncSemaphoreCore(permits: 1), needs: Array(repeating: 1, count: tasks), hasOwner: true)
        let section: @Sendable (Int) -> Bool = { index in
          let waiter = scene.waiters[index]
          if !scene.core.tryAcquire(as: waiter.task),
            !scene.core.acquireOrJoin(waiter, Primitive(.asyncMutex))
          {
            guard scene.wait(index, mayGiveUp: cancellable.contains(index)) else { return false }
          }
          scene.cell.value += 1
          let owner = AsyncSemaphoreCore.owner(scene.core.word.load(.relaxed))
          run.expect(owner == waiter.task, "a recursion would be noticed")
          if !scene.core.releaseWithoutWaiters(as: waiter.task) {
            scene.resume(scene.core.releaseForNext(1, as: waiter.task).first, run)
          }
          return true
        }
        let served = scene.perform(section, givingUp, in: scene.core.waiters, run)
        run.expect(scene.cell.value == served, "no section is lost")
        run.expect(served >= tasks - givingUp.count)
        run.expect(scene.core.word.load(.relaxed) == 1, "it is free")
        run.expect(scene.core.waiters.withList { $0.isEmpty })
      }
    }

    private static let bounded = ExplorationStrategy.exhaustive(preemptions: 2)
    private static let random = ExplorationStrategy.priorities(executions: 5_000, depth: 4)

    @Test func twoTasksLock() throws {
      try mutex("2 tasks", tasks: 2, givingUp: [], .exhaustive(), mayEndEarly: false)
    }

    @Test func twoTasksLockAndOneIsCancelled() throws {
      let one: [(Int, TaskWaiter.Outcome)] = [(1, .cancelled)]
      try mutex("2 tasks, 1 cancelled", tasks: 2, givingUp: one, Self.bounded)
    }

    @Test func twoTasksLockAndOneIsCancelledAndTimesOut() throws {
      let both: [(Int, TaskWaiter.Outcome)] = [(1, .cancelled), (1, .timedOut)]
      try mutex("2 tasks, 1 cancelled and late", tasks: 2, givingUp: both, Self.bounded)
      try mutex("2 tasks, 1 cancelled and late", tasks: 2, givingUp: both, Self.random)
    }

    @Test func threeTasksLock() throws {
      try mutex("3 tasks", tasks: 3, givingUp: [], Self.bounded)
      try mutex("3 tasks", tasks: 3, givingUp: [], Self.random)
    }

    @Test func threeTasksLockAndTwoGiveUp() throws {
      let both: [(Int, TaskWaiter.Outcome)] = [(1, .cancelled), (2, .timedOut)]
      try mutex("3 tasks, 2 give up", tasks: 3, givingUp: both, .exhaustive(preemptions: 1))
      try mutex("3 tasks, 2 give up", tasks: 3, givingUp: both, Self.random)
    }

    private func semaphore(
      _ name: String, permits: Int, needs: [UInt64],
      givingUp: [(task: Int, outcome: TaskWaiter.Outcome)] = [],
      _ strategy: ExplorationStrategy
    ) throws {
      let cancellable = Set(givingUp.map(\.task))
      try check("AsyncSemaphore, \(name)", strategy, mayEndEarly: true) { run in
        let scene = Scene(AsyncSemaphoreCore(permits: permits), needs: needs)
        let resume: @Sendable (AsyncSemaphoreCore.Granted) -> Void = { granted in
          scene.resume(granted.first, run)
          for waiter in granted.others { scene.resume(waiter, run) }
        }
        let section: @Sendable (Int) -> Bool = { index in
          let waiter = scene.waiters[index]
          if !scene.core.tryAcquire(waiter.need),
            !scene.core.acquireOrJoin(waiter, Primitive(.asyncSemaphore))
          {
            guard scene.wait(index, mayGiveUp: cancellable.contains(index)) else { return false }
          }
          // A section with all permits excludes the others, so this change must not race.
          if waiter.need == permits { scene.cell.value += 1 }
          if !scene.core.releaseWithoutWaiters(waiter.need) { resume(scene.core.releaseForNext(waiter.need)) }
          return true
        }
        let served = scene.perform(section, givingUp, in: scene.core.waiters, run) {
          resume(scene.core.grantAgain())
        }
        let isAlone = needs.allSatisfy { $0 == permits }
        run.expect(!isAlone || scene.cell.value == served, "no section is lost")
        run.expect(served >= needs.count - givingUp.count)
        run.expect(scene.core.word.load(.relaxed) == UInt64(permits), "no permit is lost")
        run.expect(scene.core.waiters.withList { $0.isEmpty })
      }
    }

    @Test func twoTasksTakeAPermit() throws {
      try semaphore("2 tasks", permits: 1, needs: [1, 1], .exhaustive())
    }

    @Test func twoTasksTakeAPermitAndOneGivesUp() throws {
      let both: [(Int, TaskWaiter.Outcome)] = [(1, .cancelled), (1, .timedOut)]
      try semaphore("2 tasks, 1 cancelled", permits: 1, needs: [1, 1], givingUp: [both[0]], Self.bounded)
      try semaphore("2 tasks, 1 cancelled and late", permits: 1, needs: [1, 1], givingUp: both, Self.random)
    }

    @Test(arguments: [1, 2])
    func threeTasksTakePermits(permits: Int) throws {
      let name = "\(permits) permits, 3 tasks"
      try semaphore(name, permits: permits, needs: [1, 1, 1], Self.bounded)
      try semaphore(name, permits: permits, needs: [1, 1, 1], Self.random)
    }

    @Test func threeTasksTakePermitsAndTwoGiveUp() throws {
      let both: [(Int, TaskWaiter.Outcome)] = [(1, .cancelled), (2, .timedOut)]
      try semaphore("3 tasks, 2 give up", permits: 1, needs: [1, 1, 1], givingUp: both, Self.random)
    }

    @Test func aTaskTakesTwoPermitsBesideOthers() throws {
      try semaphore("2 permits, 1 task needs both", permits: 2, needs: [2, 1], .exhaustive())
      try semaphore("2 permits, 1 of 3 tasks needs both", permits: 2, needs: [1, 2, 1], Self.bounded)
      try semaphore("2 permits, 1 of 3 tasks needs both", permits: 2, needs: [1, 2, 1], Self.random)
    }

    /// Who waits behind a task that needs two permits gets the one that was kept for it.
    @Test func aTaskThatNeedsTwoPermitsGivesUp() throws {
      let one: [(Int, TaskWaiter.Outcome)] = [(1, .cancelled)]
      let name = "2 permits, 1 of 3 tasks needs both and gives up"
      try semaphore(name, permits: 2, needs: [1, 2, 1], givingUp: one, .exhaustive(preemptions: 1))
      try semaphore(name, permits: 2, needs: [1, 2, 1], givingUp: one, Self.random)
    }

    @Test func permitsAreReturnedBesideATaskThatGivesUp() throws {
      try check("AsyncSemaphore, 2 permits are returned beside a task that gives up", .exhaustive()) { run in
        let scene = Scene(AsyncSemaphoreCore(permits: 2), needs: [1])
        let waiter = scene.waiters[0]
        run.expect(scene.core.tryAcquire(2))
        run.expect(!scene.core.acquireOrJoin(waiter, Primitive(.asyncSemaphore)))
        let release: @Sendable () -> Void = {
          if !scene.core.releaseWithoutWaiters(1) { scene.resume(scene.core.releaseForNext(1).first, run) }
        }
        let leaving = run.thread {
          guard let waiter = scene.core.waiters.giveUp(waiter, .cancelled) else { return }
          _ = scene.core.grantAgain()
          scene.resume(waiter, run)
        }
        let other = run.thread(release)
        release()
        other.join()
        leaving.join()
        let taken: UInt64 = waiter.outcomeAfterWaiting == .served ? 1 : 0
        run.expect(scene.core.word.load(.relaxed) == 2 - taken, "no permit is lost")
      }
    }

    /// A holder ends beside tasks that lend it their priority: what escalates it uses its memory, as its end does.
    @Test func aHolderEndsBesideTasksThatLend() throws {
      // Only its priority is read. A thread acts as the holder.
      let task = Task.detached(priority: .background) {}
      let holder = UInt64(unsafeBitCast(task, to: UInt.self))
      try check("PriorityLoan, a holder and 2 waiters", Self.bounded, mayEndEarly: true) { run in
        let queue = TaskWaiterQueue()
        let memory = ExploredCell(0)
        _ = queue.withList { queue.setHolder(holder, &$0) }
        let lenders = (0..<2).map { _ in
          let waiter = TaskWaiter(priority: 33)
          return run.thread {
            queue.withList { list in
              if queue.loan.holder == 0 { return }
              list.append(waiter)
              queue.willLend(waiter)
            }
            if waiter.lendsPriority { queue.lend { _, _ in memory.value += 1 } }
            _ = queue.giveUp(waiter, .cancelled)
          }
        }
        queue.endHolding()
        memory.value += 1
        for lender in lenders { lender.join() }
        run.expect(queue.withList { $0.isEmpty })
      }
      withExtendedLifetime(task) {}
    }

    /// The timer must expire each deadline, even if it is scheduled while the timer's thread goes to sleep or
    /// expires another one.
    @Test func theTimerExpiresEachDeadline() throws {
      try check("DeadlineTimer, 2 deadlines", Self.bounded, mayEndEarly: true) { run in
        let service = ServiceThread { body in
          ExploredThreads.current!.startThread(body)
          return true
        }
        let timer = DeadlineTimer(service)
        let expired = AtomicWord()
        for seconds in [2, 1] {
          timer.schedule(
            DeadlineTimer.Entry(Deadline(after: .seconds(seconds))) { _ = expired.add(1, .relaxed) })
        }
        while expired.load(.relaxed) < 2 { spinLoopHint() }
      }
    }
  }
#endif
