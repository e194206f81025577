@testable import InterlockCore
@testable import InterlockTasks
@testable import InterlockWaits
import TestSupport
import Testing

@testable import LazyInitialization

private struct Refused: Error, Equatable {
  var number = 0
}

/// A cell that tasks and threads share.
private final class Box: Sendable {
  let cell = OnceCell<Int>()

  /// Suspends the calling task until `count` tasks wait for the initialiser.
  func untilTasksWait(_ count: Int) async {
    while TaskWaiterTable.queue(of: cell.core.state.key)?.count ?? 0 != count { await Task.yield() }
  }

  /// Suspends the calling task until another task or a thread runs the initialiser.
  func untilTheInitializerRuns() async {
    while OnceCore.runner(cell.core.state.loadAcquiring()) == 0 { await Task.yield() }
  }

  /// Starts a task whose initialiser waits at `gate` and then has the given result.
  ///
  /// Returns the task as soon as its initialiser runs.
  func startInitializing(_ gate: TaskGate, result: Result<Int, Refused> = .success(1)) async -> Task<
    Int, any Error
  > {
    let task = Task {
      try await cell.value(orInitialize: {
        await gate.pass()
        return try result.get()
      })
    }
    await untilTheInitializerRuns()
    return task
  }

  /// Suspends the task until a thread waits for the end of the initialiser: it sleeps, or is about to.
  func untilAThreadWaits() async {
    while !OnceCore.has(OnceCore.waiters, cell.core.state.loadAcquiring()) { await Task.yield() }
  }
}

/// Tests cells that tasks initialise.
@Suite struct OnceCellTasksTests {
  private let box = Box()
  private let gate = TaskGate()
  private let made = RelaxedCounter()

  @Test func oneTaskMakesTheValueAndOthersAreSuspended() async throws {
    let tasks = (0..<20).map { number in
      Task {
        try await box.cell.value(orInitialize: {
          made.add(1)
          await gate.pass()
          return number
        })
      }
    }
    await box.untilTasksWait(19)
    let isComplete = box.cell.isComplete
    #expect(!isComplete)
    await gate.open()
    var values: Set<Int> = []
    for task in tasks { values.insert(try await task.value) }
    #expect(values.count == 1)
    #expect(values.first == box.cell.value)
    #expect(made.value == 1)
    #expect(TaskWaiterTable.queue(of: box.cell.core.state.key) == nil)
  }

  /// Reading a full cell must not suspend the task.
  ///
  /// Otherwise the other task would run on the main actor meanwhile, and change `others`.
  @MainActor @Test func readingAFullCellDoesNotSuspend() async throws {
    box.cell.set(3)
    let others = Unguarded(0)
    let other = Task { @MainActor in others.value += 1 }
    var sum = 0
    for _ in 0..<1_000 { sum += try await box.cell.value(orInitialize: { 4 }) }
    #expect(sum == 3_000)
    #expect(others.value == 0)
    await other.value
  }

  @MainActor @Test func theInitializerRunsInTheCallersIsolation() async throws {
    let value = try await box.cell.value(orInitialize: {
      MainActor.preconditionIsolated()
      await Task.yield()
      MainActor.preconditionIsolated()
      return 1
    })
    #expect(value == 1)
  }

  @Test func afterAnErrorTheTaskThatHasWaitedForLongestTries() async {
    let tries = Monitor<[Int]>([])
    var tasks: [Task<Result<Int, any Error>, Never>] = []
    for number in 0..<4 {
      tasks.append(
        Task {
          do {
            return .success(
              try await box.cell.value(orInitialize: {
                tries.enter { $0.append(number) }
                await gate.pass()
                if number < 2 { throw Refused(number: number) }
                return number
              }))
          } catch {
            return .failure(error)
          }
        })
      while tries.enter({ $0.isEmpty }) { await Task.yield() }
      await box.untilTasksWait(number)
    }
    await gate.open()
    for (number, task) in tasks.enumerated() {
      let result = await task.value
      if number < 2 {
        #expect(throws: Refused(number: number)) { try result.get() }
      } else {
        #expect((try? result.get()) == 2)
      }
    }
    #expect(tries.enter { $0 } == [0, 1, 2])
  }

  /// A waiting task must get its turn after the first error, although the task whose initialiser throws asks
  /// again without a pause.
  @Test func aTaskThatRetriesInALoopDoesNotOvertakeAWaitingTask() async {
    let failures = RelaxedCounter()
    let retrying = Task {
      while failures.value < 1_000 {
        let value = try? await box.cell.value(orInitialize: {
          await gate.pass()
          failures.add(1)
          await Task.yield()
          throw Refused()
        })
        if let value { return value }
      }
      return -1
    }
    await box.untilTheInitializerRuns()
    let waiting = Task { try? await box.cell.value(orInitialize: { 2 }) }
    await box.untilTasksWait(1)
    await gate.open()
    let values = (await retrying.value, await waiting.value)
    #expect(values == (2, 2))
    #expect(failures.value == 1)
  }

  /// A task that has been given the turn may run late; a thread must not wait for it.
  ///
  /// Here the task can run only after this function, which occupies the main actor, has initialised the cell.
  /// The task waits at the front then, also after a thread's error.
  @MainActor @Test(arguments: [false, true]) func aThreadDoesNotWaitForAGrantedTask(throwing: Bool)
    async throws
  {
    let runner = await box.startInitializing(gate, result: .failure(Refused()))
    let make = {
      made.add(1); return 2
    }
    let granted = Task { @MainActor in try await box.cell.value(orInitialize: { make() }) }
    await box.untilTasksWait(1)
    let value = onTheCallingThread { () -> Int? in
      // Not before: while this function awaited that, the granted task could run.
      Task.detached { [gate] in await gate.open() }
      while !OnceCore.has(OnceCore.granted, box.cell.core.state.loadAcquiring()) { PlatformThread.yield() }
      return try? box.cell.value(orInitialize: { () throws(Refused) in
        if throwing { throw Refused() }
        return 1
      })
    }
    #expect(value == (throwing ? nil : 1))
    await #expect(throws: Refused()) { try await runner.value }
    #expect(try await granted.value == (throwing ? 2 : 1))
    #expect(made.value == (throwing ? 1 : 0))
  }

  /// An error gives the turn to a waiting task, and wakes a thread that sleeps, in case the task runs late.
  ///
  /// Here the task can run only when the thread has initialized the cell.
  @MainActor @Test func aSleepingThreadDoesNotWaitForAGrantedTask() async {
    let mayThrow = RelaxedFlag()
    let runner = Task.detached { [box] in
      await onAThread {
        try? box.cell.value(orInitialize: { () throws(Refused) in
          while !mayThrow.isSet { PlatformThread.yield() }
          throw Refused()
        })
      }
    }
    await box.untilTheInitializerRuns()
    let granted = Task { @MainActor in try? await box.cell.value(orInitialize: { () async in 1 }) }
    let sleeping = Task.detached { [box] in await onAThread { box.cell.value(orInitialize: { 2 }) } }
    await box.untilTasksWait(1)
    await box.untilAThreadWaits()
    onTheCallingThread {
      mayThrow.set()
      while !box.cell.isComplete { PlatformThread.yield() }
    }
    let values = (await runner.value, await granted.value, await sleeping.value)
    #expect(values == (nil, 2, 2))
  }

  /// Runs `body` without suspending: in an asynchronous function, `value(orInitialize:)` would await.
  private func onTheCallingThread<R>(_ body: () -> R) -> R { body() }

  /// A task that was given the turn, and finds a thread's initialiser running, must be next after its error.
  @Test func anOvertakenTaskWaitsAtTheFront() {
    let waiters = [TaskWaiter(), TaskWaiter(), TaskWaiter()]
    let queue = TaskWaiterTable.join(box.cell.core.state.key)
    defer { TaskWaiterTable.leave(box.cell.core.state.key) }
    func begin() -> Bool { OnceCore.begin(box.cell.core, .onceCell, "") }
    func join(_ index: Int, hasWaited: Bool = false) -> OnceCore.Step {
      OnceCore.beginOrJoin(box.cell.core, waiters[index], queue, hasWaited: hasWaited)
    }
    #expect(begin())
    #expect(join(0) == .wait)
    #expect(join(1) == .wait)
    OnceCore.abandon(box.cell.core)
    #expect(waiters[0].isResumed)
    #expect(begin(), "a thread does not wait for the granted task")
    OnceCore.abandon(box.cell.core)
    #expect(!waiters[1].isResumed, "its error does not give the turn to another one")
    #expect(begin())
    waiters[0].rearm()
    #expect(join(0, hasWaited: true) == .wait)
    OnceCore.abandon(box.cell.core)
    #expect(waiters[0].isResumed && !waiters[1].isResumed)
    #expect(join(2) == .wait, "a task that comes later waits for the granted task")
    #expect(join(0, hasWaited: true) == .run(isBelow: false))
    OnceCore.finish(box.cell.core)
    #expect(waiters[1].isResumed && waiters[2].isResumed)
  }

  /// Here the task finds the initializer of a thread when its turn comes, and must be suspended again.
  @MainActor @Test func anOvertakenTaskWaitsForTheThread() async {
    let mayEnd = RelaxedFlag()
    let runner = await box.startInitializing(gate, result: .failure(Refused()))
    let granted = Task { @MainActor in try? await box.cell.value(orInitialize: { () async in 2 }) }
    await box.untilTasksWait(1)
    let thread = onTheCallingThread {
      Task.detached { [gate] in await gate.open() }
      while !OnceCore.has(OnceCore.granted, box.cell.core.state.loadAcquiring()) { PlatformThread.yield() }
      let thread = Task.detached { [box] in
        await onAThread {
          box.cell.value(orInitialize: {
            while !mayEnd.isSet { PlatformThread.yield() }
            return 1
          })
        }
      }
      while OnceCore.runner(box.cell.core.state.loadAcquiring()) == 0 { PlatformThread.yield() }
      return thread
    }
    await box.untilTasksWait(1)
    mayEnd.set()
    #expect(await granted.value == 1)
    #expect(await thread.value == 1)
    await #expect(throws: Refused()) { try await runner.value }
  }

  /// However the waits end, those who have waited leave nothing in the table of all that wait.
  @Test(arguments: [false, true]) func nothingIsLeftInTheTable(isRefused: Bool) async {
    let runner = await box.startInitializing(gate, result: isRefused ? .failure(Refused()) : .success(1))
    let tasks = (0..<3).map { _ in
      Task { try? await box.cell.value(orInitialize: { () async throws -> Int in throw Refused() }) }
    }
    await box.untilTasksWait(3)
    tasks[0].cancel()
    #expect(await tasks[0].value == nil)
    await gate.open()
    for task in tasks[1...] { #expect(await task.value == (isRefused ? nil : 1)) }
    _ = try? await runner.value
    #expect(TaskWaiterTable.queue(of: box.cell.core.state.key) == nil)
  }

  /// A waiting task that is cancelled must throw `CancellationError` while another task's initialiser still
  /// runs.
  @Test func aWaitingTaskThatIsCancelledGivesUp() async throws {
    let runner = await box.startInitializing(gate)
    let cancelled = Task {
      try await box.cell.value(orInitialize: { () async throws in made.add(1) })
    }
    let other = Task { try await box.cell.value(orInitialize: { () async throws in made.add(1) }) }
    await box.untilTasksWait(2)
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    await box.untilTasksWait(1)
    // A task that is cancelled before it begins to wait must throw the error as well.
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await box.cell.value(orInitialize: { () async throws in made.add(1) })
    }
    await #expect(throws: CancellationError.self) { try await late.value }
    await gate.open()
    let values = (try await runner.value, try await other.value)
    #expect(values == (1, 1))
    #expect(made.value == 0)
  }

  /// Only a wait ends with the error: a cancelled task that need not wait takes the value, or makes it.
  @Test func aCancelledTaskThatNeedNotWaitGetsAValue() async {
    let values = await inCancelledTask { [box, made] in
      (
        try? await box.cell.value(orInitialize: { () async in made.add(1) }),
        try? await box.cell.value(orInitialize: { () async in made.add(1) })
      )
    }
    #expect(values == (1, 1))
    #expect(made.value == 1)
  }

  /// A task whose initializer throws nothing, or a type, gives up as well.
  @Test(arguments: [false, true]) func theTypeOfTheErrorsDoesNotMatter(isTyped: Bool) async throws {
    let runner = await box.startInitializing(gate)
    let cancelled = Task {
      await ending {
        if isTyped {
          return try await box.cell.value(orInitialize: { () async throws(Refused) in made.add(1) })
        }
        return try await box.cell.value(orInitialize: { () async in made.add(1) })
      }
    }
    await box.untilTasksWait(1)
    cancelled.cancel()
    #expect(await cancelled.value == .cancelled)
    await gate.open()
    #expect(try await runner.value == 1)
    #expect(made.value == 0)
  }

  // MARK: Threads and tasks

  @Test func aThreadWaitsForATask() async throws {
    let runner = await box.startInitializing(gate)
    async let value = onAThread { box.cell.value(orInitialize: { 2 }) }
    async let refused = onAThread { box.cell.set(3) }
    await box.untilAThreadWaits()
    await gate.open()
    let values = (try await runner.value, await value, await refused)
    #expect(values == (1, 1, 3))
  }
}
