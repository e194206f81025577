#if Exploration
  import Exploration
  import Protectors
  import Testing
  import UnfairLocks

  /// Tests that every point where a task may be suspended is a step of the exploration.
  @Suite(.serialized) struct TaskExplorationTests {
    /// An actor whose methods don't suspend; while it is free, the runtime enters it without enqueuing a job.
    private actor Account {
      private(set) var balance = 0

      func deposit(_ amount: Int) { balance += amount }
    }

    /// Two tasks make three calls each, which have 20 orders: as many as there are ways to choose three of
    /// six.
    @Test func everyOrderOfThreeCallsOfTwoTasksIsTried() throws {
      let orders = try results("three calls of two tasks") { run in
        let journal = Journal()
        run.inTasks(
          { for entry in 1...3 { await journal.add(entry) } },
          { for entry in 4...6 { await journal.add(entry) } })
        return run.task { await journal.entries }.join()
      }
      #expect(orders.count == 20)
    }

    /// Between the two calls another task may run, if the compiler keeps the suspension points.
    @Test func aSearchWithTwoCallsOfAnActorInARowIsNotCalledExhaustive() throws {
      let summary = try explore { run in
        let account = Account()
        let task = run.task {
          await account.deposit(1)
          return await account.balance
        }
        let other = run.task { await account.deposit(1) }
        run.expect(task.join() > 0)
        other.join()
      }
      #expect(!summary.reachedLimit && !summary.isExhaustive && summary.hasUndividedSteps)
      #expect(summary.description.hasSuffix("not exhaustive: calls of one actor in a row may be one step"))
      #expect(try explore { run in run.task {}.join() }.isExhaustive)
    }

    private actor Journal {
      private(set) var entries: [Int] = []

      func add(_ entry: Int) { entries.append(entry) }

      func addLater(_ entry: Int) { Task { add(entry) } }
    }

    @Test func childrenOfAGroupEndInEachOrder() throws {
      let orders = try results("a group of three") { run in
        let task = run.task {
          await withTaskGroup(of: Int.self) { group in
            for child in 1...3 { group.addTask { child } }
            var order: [Int] = []
            for await child in group { order.append(child) }
            return order
          }
        }
        return task.join()
      }
      #expect(orders.count == 6)
    }

    @Test func asyncLetsRunInEachOrder() throws {
      let orders = try results("async let") { run in
        let journal = Journal()
        let task = run.task {
          async let one: Void = journal.add(1)
          async let two: Void = journal.add(2)
          _ = await (one, two)
          return await journal.entries
        }
        return task.join()
      }
      #expect(orders == [[1, 2], [2, 1]])
    }

    @Test func tasksOfAnActorStartInTheirOrder() throws {
      let orders = try results("tasks of an actor") { run in
        let journal = Journal()
        let task = run.task {
          await journal.addLater(1)
          await journal.addLater(2)
          while await journal.entries.count < 2 { await Task.yield() }
          return await journal.entries
        }
        return task.join()
      }
      #expect(orders == [[1, 2]])
    }

    @Test func sleepsEndInEachOrder() throws {
      let orders = try results("two sleeps") { run in
        let journal = Journal()
        run.inTasks(
          {
            try await Task.sleep(for: .seconds(3_600))
            await journal.add(1)
          },
          {
            try await Task.sleep(nanoseconds: 1)
            await journal.add(2)
          })
        return run.task { await journal.entries }.join()
      }
      #expect(orders == [[1, 2], [2, 1]])
    }

    @Test func aSleepMayBeCancelled() throws {
      let outcomes = try results("a cancelled sleep") { run in
        let task = run.task(mayBeCancelled: true) {
          do {
            try await Task.sleep(for: .seconds(1))
            return "slept"
          } catch {
            return "cancelled"
          }
        }
        return task.join()
      }
      #expect(outcomes == ["slept", "cancelled"])
    }

    @Test func aStreamDeliversAllElements() throws {
      let elements = try results("a stream") { run in
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        let one = run.task { continuation.yield(1) }
        let two = run.task { continuation.yield(2) }
        let reading = run.task { await stream.reduce(into: [Int]()) { $0.append($1) } }
        one.join()
        two.join()
        continuation.finish()
        return reading.join()
      }
      #expect(elements == [[1, 2], [2, 1]])
    }

    /// The runtime holds a mutex of the task while the handler waits, and the task needs the mutex when it leaves
    /// the function.
    @Test func aHandlerThatWaitsForALockLetsItsTaskWait() throws {
      let outcomes = try results(
        "a handler that waits for a lock", .exhaustive(preemptions: 1), mayEndEarly: true
      ) { run in
        let number = ExclusiveProtector(0)
        let task = run.task(mayBeCancelled: true) {
          await withTaskCancellationHandler {
            await Task.yield()
          } onCancel: {
            number.withLock { $0 += 1 }
          }
        }
        let thread = run.thread { number.withLock { $0 += 2 } }
        thread.join()
        task.join()
        return number.withLock { $0 } == 2
      }
      #expect(outcomes == [false, true])
    }

    /// The task holds the lock that the handler needs, and waits for the handler.
    @Test func aTaskThatWaitsForItsHandlerUnderALockIsADeadlock() throws {
      let failure = try failure(.exhaustive(preemptions: 1)) { run in
        let lock = UnfairLock()
        let acquire: @Sendable () -> Void = { lock.unsafeLock() }
        let release: @Sendable () -> Void = { lock.unsafeUnlock() }
        let task = run.task(mayBeCancelled: true) {
          await withTaskCancellationHandler {
            acquire()
            await Task.yield()
          } onCancel: {
            lock.withLock {}
          }
          release()
        }
        task.join()
      }
      let wait = "waits for the end of the cancellation by T2"
      #expect(failure.reason.hasPrefix("Deadlock: ") && failure.reason.contains(wait), "\(failure.reason)")
    }

    @MainActor private final class Counter {
      private(set) var value = 0
      nonisolated init() {}

      func add() {
        MainActor.assertIsolated()
        value += 1
      }
    }

    @Test func theMainActorRunsOneTaskAtATime() throws {
      let values = try results("the main actor") { run in
        let counter = Counter()
        run.inTasks({ await counter.add() }, { @MainActor in counter.add() })
        return run.task { await counter.value }.join()
      }
      #expect(values == [2])
    }

    /// An executor whose jobs a thread of the test runs.
    private final class Pump: SerialExecutor {
      private let jobs = ExclusiveProtector<[UnownedJob]>([])

      func enqueue(_ job: UnownedJob) { jobs.withLock { $0.append(job) } }

      func run(_ count: Int) {
        for _ in 0..<count {
          let job = jobs.withLock(waitingUntil: { !$0.isEmpty }) { $0.removeFirst() }
          unsafe job.runSynchronously(on: asUnownedSerialExecutor())
        }
      }
    }

    private actor Pumped {
      private let pump: Pump
      private var entries: [Int] = []
      nonisolated var unownedExecutor: UnownedSerialExecutor { pump.asUnownedSerialExecutor() }

      init(_ pump: Pump) { self.pump = pump }

      func add(_ entry: Int) -> [Int] {
        entries.append(entry)
        return entries
      }
    }

    @Test func anActorWithAnExecutorOfItsOwnRunsOnThreads() throws {
      let results = try results("a custom executor", .random(executions: 500)) { run in
        let pump = Pump()
        let actor = Pumped(pump)
        let pumping = run.thread { pump.run(2) }
        let one = run.task { await actor.add(1) }
        let two = run.task { await actor.add(2) }
        pumping.join()
        return [one.join(), two.join()].max { $0.count < $1.count }!
      }
      #expect(results == [[1, 2], [2, 1]])
    }

    @Test func threadsAndTasksShareAnExecution() throws {
      try check("a thread and a task", .exhaustive(preemptions: 2)) { run in
        let value = ExclusiveProtector(())
        let cell = ExploredCell(0)
        let add: @Sendable () -> Void = { value.withLock { _ in cell.value += 1 } }
        let thread = run.thread(add)
        let task = run.task(add)
        thread.join()
        task.join()
        run.expect(cell.value == 2)
      }
    }

    @Test func tasksWithoutALockRaceOnACell() throws {
      let failure = try failure { run in
        let cell = ExploredCell(0)
        run.inTasks({ cell.value += 1 }, { cell.value += 1 })
      }
      #expect(failure.reason.hasPrefix("Data race: step"))
    }

    private actor Guarded {
      private let cell = ExploredCell(0)

      func add() { cell.value += 1 }
    }

    @Test func anActorOrdersTheAccessesOfItsTasks() throws {
      try check("a cell of an actor") { run in
        let guarded = Guarded()
        run.inTasks({ await guarded.add() }, { await guarded.add() })
      }
    }

    @Test func yieldsAndSleepsOutsideOfExplorationsAreTheRuntimes() async throws {
      await Task.yield()
      let start = ContinuousClock.now
      try await Task.sleep(for: .milliseconds(2))
      try await Task.sleep(nanoseconds: 2_000_000)
      try await ContinuousClock().sleep(until: .now + .milliseconds(2))
      #expect(ContinuousClock.now - start >= .milliseconds(6))
    }

    private enum Shared {
      static let number = Int.random(in: 1...6)
    }

    /// The runtime initialises a static variable in the first execution only, so the initialisation must not
    /// count as a step.
    @Test func aFirstInitializationIsNoStep() throws {
      try check("a static variable") { run in
        let sum = ExclusiveProtector(0)
        let threads = (0..<2).map { _ in
          run.thread {
            let number = Shared.number
            sum.withLock { $0 += number }
          }
        }
        for thread in threads { thread.join() }
        run.expect(sum.withLock { $0 } == 2 * Shared.number)
      }
    }

    @Test func aReportNamesActorsAndLinesOfTasks() throws {
      let failure = try failure(limits: ExplorationLimits()) { run in
        let journal = Journal()
        let number = ExclusiveProtector(0)
        let task = run.task {
          await journal.add(1)
          number.withLock { $0 = 1 }
        }
        task.join()
        run.expect(false)
      }
      #expect(failure.steps.contains { $0.contains("goes on without an actor") })
      for action in ["enters Journal a0", "compares w"] {
        let steps = failure.steps.filter { $0.contains(action) }
        #expect(steps.contains { $0.contains("TaskExplorationTests.swift:") }, "\(steps)")
      }
    }
  }
#endif
