#if Exploration
  import Exploration
  @testable import InterlockCore
  @testable import InterlockTasks
  @testable import InterlockWaits
  import Testing

  @testable import LazyInitialization
  @testable import Lifecycles

  /// Explores tasks that wait in the `TaskWaiterTable`: for a cell's initialiser, and for deliveries to end.
  ///
  /// A thread acts as a task. Where the task would be suspended, the thread polls its waiter.
  /// `TaskScheduleTests` explores the suspension.
  @Suite(.serialized) struct InitializationTaskScheduleTests {
    /// A cell's core, with the value that the initialisers change, and the waiters of the tasks.
    private final class Scene: Sendable {
      let core = OnceCore(Primitive(.onceCell))
      let value = ExploredCell(0)
      let successes = ExploredCell(0)
      let waiters: [TaskWaiter]

      init(tasks: Int) { waiters = (0..<tasks).map { _ in TaskWaiter() } }

      /// Gets the value as a task does: runs the initialiser, or waits for the one that runs.
      ///
      /// Returns the value; `nil` if the initialiser that this call ran has thrown, or the task was
      /// cancelled.
      func task(_ index: Int, throwing: Bool = false) -> Int? {
        let key = core.state.key
        let queue = TaskWaiterTable.join(key)
        let waiter = waiters[index]
        var hasWaited = false
        while true {
          switch OnceCore.beginOrJoin(core, waiter, queue, hasWaited: hasWaited) {
          case .run:
            value.value += 1
            if !throwing { successes.value += 1 }
            if throwing { OnceCore.abandonTask(core) } else { OnceCore.finishTask(core) }
            return throwing ? nil : value.value
          case .wait:
            while !waiter.isResumed { Backoff.yieldUntilChange() }
            if waiter.outcomeAfterWaiting == .cancelled {
              TaskWaiterTable.leave(key)
              return nil
            }
            waiter.rearm()
            hasWaited = true
          case .proceed:
            TaskWaiterTable.leave(key)
            return value.value
          }
        }
      }

      /// Asks for the value as a thread does.
      func thread(throwing: Bool = false) -> Int? {
        guard OnceCore.begin(core, .onceCell, "") else { return value.value }
        value.value += 1
        if !throwing { successes.value += 1 }
        if throwing { OnceCore.abandon(core) } else { OnceCore.finish(core) }
        return throwing ? nil : value.value
      }

      /// Cancels the task with the given index; does nothing if no task has joined the cell's queue yet.
      func cancel(_ index: Int) {
        TaskWaiterTable.queue(of: core.state.key)?.giveUp(waiters[index], .cancelled)?.resume()
      }
    }

    /// Explores tasks and threads that get one value.
    ///
    /// - Parameters:
    ///   - throwingTask: Whether the first task's initialiser throws.
    ///   - throwingThread: Whether the first thread's initialiser throws.
    ///   - cancelled: The index of a task that another thread cancels; `nil` for none.
    private func initialize(
      _ name: String, tasks: Int, threads: Int = 0, throwingTask: Bool = false, throwingThread: Bool = false,
      cancelled: Int? = nil, _ strategy: ExplorationStrategy, mayEndEarly: Bool = true
    ) throws {
      try check("OnceCell, \(name)", strategy, mayEndEarly: mayEndEarly) { run in
        let scene = Scene(tasks: tasks)
        var others = (1..<max(tasks, 1)).map { index in run.thread { scene.task(index) } }
        others += (0..<threads).map { index in
          run.thread { scene.thread(throwing: throwingThread && index == 0) }
        }
        let leaving = cancelled.map { index in run.thread { scene.cancel(index) } }
        var results = [scene.task(0, throwing: throwingTask)]
        for other in others { results.append(other.join()) }
        leaving?.join()
        let isComplete = scene.core.isComplete
        run.expect(isComplete, "an initialiser has succeeded")
        run.expect(results.allSatisfy { $0 == nil || $0 == scene.value.value }, "all see one value")
        let failures = (throwingTask ? 1 : 0) + (throwingThread ? 1 : 0)
        run.expect(results.count { $0 == nil } <= failures + (cancelled == nil ? 0 : 1), "no task is lost")
        run.expect(scene.successes.value == 1, "one initialiser succeeds")
        run.expect(scene.value.value <= failures + 1, "no initialiser runs after that")
        run.expect(TaskWaiterTable.isEmpty)
      }
    }

    private static let bounded = ExplorationStrategy.exhaustive(preemptions: 2)
    private static let random = ExplorationStrategy.priorities(executions: 2_000, depth: 4)

    @Test func twoTasksInitialize() throws {
      try initialize("2 tasks", tasks: 2, Self.bounded)
    }

    @Test func aTaskThrowsBesideATask() throws {
      try initialize("2 tasks, 1 throws", tasks: 2, throwingTask: true, Self.bounded)
    }

    @Test func threeTasksInitialize() throws {
      try initialize("3 tasks, 1 throws", tasks: 3, throwingTask: true, .exhaustive(preemptions: 1))
      try initialize("3 tasks, 1 throws", tasks: 3, throwingTask: true, Self.random)
    }

    @Test func aTaskIsCancelled() throws {
      try initialize("2 tasks, 1 cancelled", tasks: 2, cancelled: 1, Self.bounded)
      try initialize(
        "3 tasks, 1 throws, 1 cancelled", tasks: 3, throwingTask: true, cancelled: 1, Self.random)
    }

    @Test func aThreadAndATaskInitialize() throws {
      try initialize("1 task, 1 thread", tasks: 1, threads: 1, .exhaustive(), mayEndEarly: false)
    }

    @Test func aTaskThrowsBesideAThread() throws {
      try initialize("1 throwing task, 1 thread", tasks: 1, threads: 1, throwingTask: true, Self.bounded)
    }

    @Test func aThreadThrowsBesideATask() throws {
      try initialize("1 task, 1 throwing thread", tasks: 1, threads: 1, throwingThread: true, Self.bounded)
    }

    @Test func tasksAndThreadsInitialize() throws {
      try initialize(
        "2 tasks, 2 threads, 2 throw", tasks: 2, threads: 2, throwingTask: true, throwingThread: true,
        Self.random)
    }

    // MARK: Deliveries

    private final class Living: Sendable {
      let lifecycle = Lifecycle(label: "explored")
      let cells = [ExploredCell(0), ExploredCell(0)]
    }

    /// A task that invalidates must wait until the running deliveries have ended.
    ///
    /// Only the end of a delivery resumes the task. It then checks again whether deliveries are running.
    @Test(arguments: [1, 2])
    func nothingIsDeliveredAfterATaskHasInvalidated(deliveries: Int) throws {
      let strategy = ExplorationStrategy.exhaustive(preemptions: deliveries == 1 ? 2 : 1)
      try check("Lifecycle, invalidated by a task, \(deliveries) deliveries", strategy, mayEndEarly: true) {
        run in
        let living = Living()
        let key = living.lifecycle.core.key
        living.lifecycle.activate()
        let deliveries = (0..<deliveries).map { index in
          run.thread { _ = living.lifecycle.whileActive { living.cells[index].value += 1 } }
        }
        _ = living.lifecycle.core.close()
        let waiter = TaskWaiter()
        let queue = TaskWaiterTable.join(key)
        while living.lifecycle.core.joinUnlessDeliveriesEnded(waiter, queue) {
          while !waiter.isResumed { Backoff.yieldUntilChange() }
          waiter.rearm()
        }
        TaskWaiterTable.leave(key)
        // No lock guards these changes, so a body of `whileActive` that still ran would be reported as a race.
        for cell in living.cells { cell.value += 1 }
        for delivery in deliveries { delivery.join() }
        run.expect(TaskWaiterTable.isEmpty)
      }
    }
  }
#endif
