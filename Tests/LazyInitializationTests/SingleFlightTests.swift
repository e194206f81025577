import InterlockCore
import TestSupport
import Testing

@testable import LazyInitialization

private struct Refused: Error, Equatable {
  var number = 0
}

private struct Offline: Error {}

extension SingleFlight {
  /// Suspends the calling task until the runs have so many waiting tasks, in ascending order.
  fileprivate func untilTasksWait(_ counts: Int...) async {
    while waiterCounts.sorted() != counts { await Task.yield() }
  }
}

/// Runs that end when the test says so, and are counted.
private final class Runs: Sendable {
  let gate = TaskGate()
  let begun = RelaxedCounter()
  let cancelled = RelaxedCounter()

  /// The number of the run, once the gate is open.
  func run() async -> Int {
    let number = begun.add(1)
    await gate.pass()
    if Task.isCancelled { cancelled.add(1) }
    return number
  }

  /// Ends with `CancellationError` as soon as the run is cancelled.
  func runUntilCancelled() async throws -> Int {
    begun.add(1)
    while !Task.isCancelled { await Task.yield() }
    cancelled.add(1)
    throw CancellationError()
  }
}

@Suite struct SingleFlightTests {
  private let flights = SingleFlight<String, Int>()
  private let runs = Runs()

  private func start(_ key: String = "a") -> Task<Int, any Error> {
    Task { [flights, runs] in try await flights.value(for: key) { await runs.run() } }
  }

  @Test func theNextCallStartsAnew() async throws {
    await runs.gate.open()
    for number in 1...3 { #expect(try await flights.value(for: "a") { await runs.run() } == number) }
  }

  /// A failure must reach all tasks that waited for it, and no later one.
  @Test func anErrorIsSharedAndNotKept() async throws {
    let tasks = (0..<5).map { _ in
      Task { [flights, runs] in
        try await flights.value(for: "a") { throw Refused(number: await runs.run()) }
      }
    }
    await flights.untilTasksWait(5)
    await runs.gate.open()
    for task in tasks { await #expect(throws: Refused(number: 1)) { try await task.value } }
    #expect(flights.waiterCounts == [])
    #expect(try await flights.value(for: "a") { 7 } == 7)
  }

  /// A call shares the error of a run, whatever its own closure throws; its own closure does not run.
  @Test func anErrorOfAnotherTypeIsSharedAsWell() async throws {
    let first = Task { [flights, runs] in
      try await flights.value(for: "a") { () async throws(Refused) in throw Refused(number: await runs.run())
      }
    }
    await flights.untilTasksWait(1)
    let second = start()
    let third = Task { [flights] in
      try await flights.value(for: "a") { () async throws(Offline) in throw Offline() }
    }
    await flights.untilTasksWait(3)
    await runs.gate.open()
    for task in [first, second, third] {
      await #expect(throws: Refused(number: 1)) { try await task.value }
    }
    #expect(runs.begun.value == 1)
    #expect(flights.waiterCounts == [])
  }

  /// The error of a run that throws `CancellationError` itself passes as any other.
  @Test func anErrorOfTheRunPasses() async throws {
    let error = await #expect(throws: TimeoutError.self) {
      try await flights.value(for: "a") { throw TimeoutError(label: "run") }
    }
    #expect(error?.label == "run")
    #expect(error?.isThrown(by: flights) == false)
  }

  // MARK: Cancellation

  /// The run must go on although the task that began it is cancelled.
  @Test func aStarterThatIsCancelledDoesNotFailTheOthers() async throws {
    let starter = start()
    await flights.untilTasksWait(1)
    let other = start()
    await flights.untilTasksWait(2)
    starter.cancel()
    await #expect(throws: CancellationError.self) { try await starter.value }
    await flights.untilTasksWait(1)
    await runs.gate.open()
    #expect(try await other.value == 1)
    #expect(runs.cancelled.value == 0)
  }

  /// The last task that is cancelled must cancel the run.
  @Test(arguments: [1, 3]) func theRunIsCancelledWithAllThatWait(count: Int) async throws {
    let tasks = (0..<count).map { _ in
      Task { [flights, runs] in try await flights.value(for: "a") { try await runs.runUntilCancelled() } }
    }
    await flights.untilTasksWait(count)
    for task in tasks { task.cancel() }
    for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
    #expect(flights.waiterCounts == [])
    while runs.cancelled.value == 0 { await Task.yield() }
  }

  /// A run is cancelled where its last task is cancelled, even if no thread is free to run that task.
  ///
  /// Here the task can run only after this function, which occupies the main actor.
  @MainActor @Test func theRunIsCancelledBeforeTheTaskRuns() async throws {
    let isCancelled = MeetingPoint(parties: 2)
    let task = Task { @MainActor [flights, runs] in
      try await flights.value(for: "a") {
        try await withTaskCancellationHandler {
          try await runs.runUntilCancelled()
        } onCancel: {
          PlatformThread { isCancelled.meet() }.detach()
        }
      }
    }
    await flights.untilTasksWait(1)
    // The run begins on this actor, which waits below.
    while runs.begun.value == 0 { await Task.yield() }
    task.cancel()
    isCancelled.meet()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  /// A run that was cancelled may go on for a while; later calls must not get its result, and its end must not
  /// end theirs.
  @Test func aCancelledRunHasNoPartInLaterCalls() async throws {
    let first = start()
    await flights.untilTasksWait(1)
    while runs.begun.value == 0 { await Task.yield() }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }

    let laterRuns = Runs()
    let later = Task { [flights] in try await flights.value(for: "a") { await laterRuns.run() + 10 } }
    await flights.untilTasksWait(1)
    await runs.gate.open()
    while runs.cancelled.value == 0 { await Task.yield() }
    let joined = start()
    await flights.untilTasksWait(2)
    await laterRuns.gate.open()
    #expect(try await later.value == 11)
    #expect(try await joined.value == 11)
    #expect(laterRuns.cancelled.value == 0)
  }

  @Test func aCancelledTaskBeginsNoRun() async throws {
    let end = await inCancelledTask { [flights, runs] in
      await ending { try await flights.value(for: "a") { await runs.run() } }
    }
    #expect(end == .cancelled)
    #expect(runs.begun.value == 0)
    #expect(flights.waiterCounts == [])
  }

  // MARK: The run's task

  private enum Request {
    @TaskLocal static var number = 0
  }

  @Test func theRunHasTheTaskLocalValuesOfItsFirstCall() async throws {
    let flights = flights
    let number = try await Request.$number.withValue(5) {
      try await flights.value(for: "a") { Request.number }
    }
    #expect(number == 5)
  }

  @Test func theRunMayHaveAnActorOfItsOwn() async throws {
    let value = try await flights.value(for: "a") { @MainActor in
      MainActor.assertIsolated()
      return 1
    }
    #expect(value == 1)
  }

  @MainActor @Test func theCallReturnsToItsActor() async throws {
    _ = try await flights.value(for: "a") {
      await Task.yield(); return 1
    }
    MainActor.assertIsolated()
  }

  @Test func aRunMayWaitForAnotherKey() async throws {
    let value = try await flights.value(for: "a") { [flights] in
      async let b = flights.value(for: "b") { 1 }
      async let c = flights.value(for: "c") { 2 }
      return try await b + c
    }
    #expect(value == 3)
    #expect(flights.waiterCounts == [])
  }

  /// A task that a run has begun, and that is left when the run has ended, may ask for the run's key.
  @Test func aTaskThatOutlivesItsRunMayWaitForTheKey() async throws {
    let gate = runs.gate
    let later = TaskHandle()
    _ = try await flights.value(for: "a") { [flights] in
      later.task.enter {
        $0 = Task {
          await gate.pass()
          return try? await flights.value(for: "a") { 2 }
        }
      }
      return 1
    }
    await gate.open()
    #expect(await later.task.enter { $0 }?.value == 2)
  }

  /// A task that a run has begun and does not wait for joins the run.
  @Test func aTaskThatItsRunDoesNotWaitForMayWaitForTheKey() async throws {
    let later = TaskHandle()
    await runs.gate.open()
    let value = try await flights.value(for: "a") { [flights, runs] in
      later.task.enter { $0 = Task { try? await flights.value(for: "a") { 2 } } }
      await flights.untilTasksWait(2)
      return await runs.run()
    }
    #expect(value == 1)
    #expect(await later.task.enter { $0 }?.value == 1)
  }

  /// A run may wait for one that has begun it and does not wait for it.
  @Test func aRunMayWaitForTheOneThatHasBegunIt() async throws {
    let later = TaskHandle()
    await runs.gate.open()
    let value = try await flights.value(for: "a") { [flights, runs] in
      later.task.enter {
        $0 = Task { try? await flights.value(for: "b") { try await flights.value(for: "a") { 7 } } }
      }
      await flights.untilTasksWait(1, 2)
      return await runs.run()
    }
    #expect(value == 1)
    #expect(await later.task.enter { $0 }?.value == 1)
  }

  /// A run may wait for one whose child task waits for it, and is cancelled.
  @Test func aRunMayWaitForOneThatGivesUp() async throws {
    let value = try await flights.value(for: "a") { [flights] in
      await withTaskGroup(of: Ending.self) { group in
        group.addTask {
          await ending {
            try await flights.value(for: "b") { (try? await flights.value(for: "a") { 7 }) ?? 8 }
          }
        }
        await flights.untilTasksWait(1, 2)
        group.cancelAll()
        return await group.next() == .cancelled ? 1 : 0
      }
    }
    #expect(value == 1)
    await flights.untilTasksWait()
  }

  private final class TaskHandle: Sendable {
    let task = Monitor<Task<Int?, Never>?>(nil)
  }

  // MARK: Memory

  /// After a run, its key, closure and value must be destroyed, unless the test keeps them.
  @Test(arguments: ["ends", "throws", "is cancelled"]) func nothingIsKept(outcome: String) async {
    let lifetimes = Lifetimes()
    let flights = SingleFlight<TrackedKey, Tracked>()
    let runs = runs
    let tasks = (0..<3).map { _ in
      let captured = Tracked(lifetimes)
      return Task {
        let key = TrackedKey(tracked: Tracked(lifetimes))
        let value = try? await flights.value(for: key) {
          _ = captured.number
          if outcome == "is cancelled" { _ = try await runs.runUntilCancelled() }
          await runs.gate.pass()
          if outcome == "throws" { throw Refused() }
          return Tracked(lifetimes)
        }
        return value != nil
      }
    }
    await flights.untilTasksWait(3)
    if outcome == "is cancelled" { for task in tasks { task.cancel() } }
    await runs.gate.open()
    for task in tasks { #expect(await task.value == (outcome == "ends")) }
    // The task of a run may end later than those that waited for it.
    while lifetimes.alive > 0 { await Task.yield() }
    #expect(flights.waiterCounts == [])
  }

  private struct TrackedKey: Hashable, Sendable {
    let tracked: Tracked

    static func == (first: TrackedKey, second: TrackedKey) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
  }

  @Test func aMirrorHasNoChildren() {
    #expect(Mirror(reflecting: flights).children.isEmpty)
  }
}
