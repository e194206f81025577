@testable import InterlockCore
@testable import InterlockTasks
@testable import InterlockWaits
import TestSupport
import Testing

@testable import LazyInitialization

/// Tests that the task which makes a value gets the priority of those that wait for it.
///
/// Without that, it works forever, until the watchdog ends the test.
@Suite struct InitializationPriorityTests {
  private struct Refused: Error {}

  private final class Box: Sendable {
    let cell = OnceCell<Int>()

    var waitingTasks: Int { TaskWaiterTable.queue(of: cell.core.state.key)?.count ?? 0 }
  }

  private let box = Box()

  @Test func aCellsRunnerGetsThePriorityOfAWaitingTask() async throws {
    let runs = TaskGate()
    let runner = Task.detached(priority: .background) {
      try await box.cell.value(orInitialize: {
        #expect(Task.currentPriority < .lent)
        await runs.open()
        await untilPriority(is: .lent)
        return 1
      })
    }
    await runs.pass()
    let waiter = Task.detached(priority: .lent) { try await box.cell.value(orInitialize: { 2 }) }
    #expect(try await waiter.value == 1)
    #expect(try await runner.value == 1)
  }

  /// After an error, the task that has waited for longest runs its own closure.
  @Test func theNextRunnerGetsThePriorityOfThoseThatWait() async throws {
    let gate = TaskGate()
    let runs = TaskGate()
    let runner = Task.detached {
      try await box.cell.value(orInitialize: { () async throws -> Int in
        await runs.open()
        await gate.pass()
        throw Refused()
      })
    }
    await runs.pass()
    let next = Task.detached(priority: .background) {
      try await box.cell.value(orInitialize: {
        await untilPriority(is: .lent)
        return 1
      })
    }
    while box.waitingTasks != 1 { await Task.yield() }
    let waiter = Task.detached(priority: .lent) { try await box.cell.value(orInitialize: { 2 }) }
    while box.waitingTasks != 2 { await Task.yield() }
    await gate.open()
    #expect(try await waiter.value == 1)
    #expect(try await next.value == 1)
    await #expect(throws: Refused.self) { _ = try await runner.value }
  }

  @Test(arguments: [false, true])
  func aRunGetsThePriorityOfAWaitingTask(isEscalated: Bool) async throws {
    let flights = SingleFlight<Int, Int>()
    let runs = TaskGate()
    let first = Task.detached(priority: .background) {
      try await flights.value(for: 1) {
        #expect(Task.currentPriority < .lent)
        await runs.open()
        await untilPriority(is: .lent)
        return 1
      }
    }
    await runs.pass()
    let second = Task.detached(priority: isEscalated ? .background : .lent) {
      try await flights.value(for: 1) { 2 }
    }
    if isEscalated {
      while flights.waiterCounts != [2] { await Task.yield() }
      second.escalatePriority(to: .lent)
    }
    #expect(try await second.value == 1)
    #expect(try await first.value == 1)
  }

  /// The first caller lends to a run that it has begun itself.
  @Test func aRunGetsThePriorityOfAnEscalatedCaller() async throws {
    let flights = SingleFlight<Int, Int>()
    let runs = TaskGate()
    let caller = Task.detached(priority: .background) {
      try await flights.value(for: 1) {
        await runs.open()
        await untilPriority(is: .lent)
        return 1
      }
    }
    await runs.pass()
    caller.escalatePriority(to: .lent)
    #expect(try await caller.value == 1)
  }

  /// Runs that end at any time, some before the call that has begun them has recorded their task.
  @Test func runsEndWhileTheyAreEscalated() async throws {
    let flights = SingleFlight<Int, Int>()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask(priority: task % 2 == 0 ? .background : .medium) {
          for round in 0..<StressSize.pick(quick: 300, full: 30_000) {
            let caller = Task.detached(priority: round % 3 == 0 ? .high : .low) {
              try await flights.value(for: round % 2) {
                if round % 5 == 0 { await Task.yield() }
                return round % 2
              }
            }
            if round % 4 == 0 { caller.escalatePriority(to: .lent) }
            let value = try await caller.value
            #expect(value == round % 2)
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
