@testable import InterlockCore
@testable import InterlockTasks
import TestSupport
import Testing

@testable import AsyncLocks

@Suite struct AsyncSemaphoreTests {
  private let semaphore = AsyncSemaphore(permits: 1)

  @Test func resultsAndErrorsPassThrough() async {
    let token = await semaphore.withPermit {
      await Task.yield()
      return TrackedToken(Lifetimes(), number: 7)
    }
    #expect(token.number == 7)
    await #expect(throws: Refused(number: 2)) {
      try await semaphore.withPermit { () async throws(Refused) in throw Refused(number: 2) }
    }
    #expect(semaphore.freePermits == 1)
  }

  private actor Owner {
    private final class Number { var value = 7 }

    private let number = Number()
    private let semaphore = AsyncSemaphore(permits: 1)

    private func find() async -> Number { number }

    /// The body may return what belongs to the actor: the semaphore guards nothing.
    func values() async throws -> [Int?] {
      [
        await semaphore.withPermit { await find() }.value,
        try await semaphore.withPermitUnlessCancelled { await find() }.value,
        try await semaphore.withPermit(timeout: .zero) { await find() }.value,
        await semaphore.withPermitIfAvailable { await find() }?.value,
      ]
    }
  }

  @Test func theBodyMayReturnWhatBelongsToTheCallersActor() async throws {
    #expect(try await Owner().values() == [7, 7, 7, 7])
  }

  @Test func permitsNest() async throws {
    let semaphore = AsyncSemaphore(permits: 2)
    try await semaphore.withPermit { () async throws in
      await semaphore.withPermit {
        #expect(semaphore.freePermits == 0)
        #expect(await semaphore.withPermitIfAvailable { 1 } == nil)
        #expect(await semaphore.withPermitIfAvailable {} == nil)
        #expect(await refusal(.zero, of: semaphore) == .timedOut)
        #expect(await refusal(.milliseconds(1), of: semaphore) == .timedOut)
      }
      #expect(await semaphore.withPermitIfAvailable { 1 } == 1)
      #expect(try await semaphore.withPermitUnlessCancelled { 1 } == 1)
      #expect(try await semaphore.withPermit(timeout: .zero) { 1 } == 1)
    }
    #expect(semaphore.freePermits == 2)
  }

  /// How a timed call ends whose body must not run.
  private func refusal(_ timeout: Duration, count: Int = 1, of semaphore: AsyncSemaphore) async -> Ending {
    await ending(of: semaphore) {
      try await semaphore.withPermit(count: count, timeout: timeout) { Issue.record("the body has run") }
    }
  }

  /// A permit goes to the task that has waited for longest; tasks that gave up are skipped.
  @Test func theFirstTaskThatWaitsIsServedFirst() async {
    let history = Monitor<[Int]>([])
    await withTaskGroup { group in
      var cancelled: [Task<Ending, Never>] = []
      await semaphore.withPermit {
        for number in 0..<60 {
          if number % 3 == 0 {
            cancelled.append(
              Task {
                await ending {
                  try await semaphore.withPermitUnlessCancelled { history.enter { $0.append(-1) } }
                }
              })
          } else {
            group.addTask { await semaphore.withPermit { history.enter { $0.append(number) } } }
          }
          await semaphore.untilTasksWait(number + 1)
        }
        for task in cancelled { task.cancel() }
        for task in cancelled { #expect(await task.value == .cancelled) }
      }
    }
    #expect(history.enter { $0 } == (0..<60).filter { $0 % 3 != 0 })
    #expect(semaphore.freePermits == 1)
  }

  @Test func aTaskThatNeedsSeveralPermitsWaitsForAllOfThem() async {
    let semaphore = AsyncSemaphore(permits: 3)
    let history = Monitor<[Int]>([])
    await withTaskGroup { group in
      await semaphore.withPermit {
        await semaphore.withPermit(count: 2) {
          group.addTask { await semaphore.withPermit(count: 3) { history.enter { $0.append(3) } } }
          await semaphore.untilTasksWait(1)
          for number in 0..<2 {
            group.addTask { await semaphore.withPermit { history.enter { $0.append(number) } } }
            await semaphore.untilTasksWait(2 + number)
          }
        }
        #expect(semaphore.freePermits == 2)
        #expect(await semaphore.withPermitIfAvailable { 1 } == nil, "they are kept for the first task")
        #expect(await refusal(.zero, count: 2, of: semaphore) == .timedOut)
      }
    }
    #expect(history.enter { $0.first } == 3)
    #expect(history.enter { $0.count } == 3)
    #expect(semaphore.freePermits == 3)
  }

  /// Permits that are kept for a task that gives up go to those behind it, before that task runs.
  @Test(arguments: [false, true]) @MainActor
  func aTaskThatGivesUpHandsOnWhatWasKeptForIt(isLate: Bool) async {
    let semaphore = AsyncSemaphore(permits: 3)
    let gate = TaskGate()
    let others = Monitor(0)
    await withTaskGroup { group in
      group.addTask { await semaphore.withPermit(count: 2) { await gate.pass() } }
      while semaphore.freePermits != 1 { await Task.yield() }
      let large = Task.immediate { @MainActor in
        await ending(of: semaphore) {
          if isLate { return try await semaphore.withPermit(count: 2, timeout: .milliseconds(10)) {} }
          try await semaphore.withPermitUnlessCancelled(count: 2) {}
        }
      }
      group.addTask { await semaphore.withPermit { others.enter { $0 += 1 } } }
      if !isLate {
        await semaphore.untilTasksWait(2)
        large.cancel()
      }
      // The main actor is blocked, so the task that gives up can't run.
      others.enter(when: { $0 > 0 }) { _ in }
      #expect(await large.value == (isLate ? .timedOut : .cancelled))
      await gate.open()
    }
    #expect(semaphore.freePermits == 3)
  }

  @Test func severalWaitingTasksAreServedAtOnce() async {
    let semaphore = AsyncSemaphore(permits: 4)
    let gate = TaskGate()
    await withTaskGroup { group in
      await semaphore.withPermit(count: 4) {
        for number in 0..<4 {
          group.addTask { await semaphore.withPermit { await gate.pass() } }
          await semaphore.untilTasksWait(number + 1)
        }
      }
      #expect(semaphore.waitingCount == 0)
      #expect(semaphore.freePermits == 0)
      await gate.open()
    }
    #expect(semaphore.freePermits == 4)
  }

  @Test func withPermitWaitsAlthoughTheTaskIsCancelled() async {
    let task = await semaphore.withPermit {
      let task = Task { await semaphore.withPermit { Task.isCancelled } }
      task.cancel()
      await semaphore.untilTasksWait(1)
      return task
    }
    #expect(await task.value)
  }

  @Test func aTaskThatIsCancelledDoesNotWait() async {
    await semaphore.withPermit {
      let results = await inCancelledTask {
        let plain = await ending {
          try await semaphore.withPermitUnlessCancelled { Issue.record("the body has run") }
        }
        return [plain, await refusal(.seconds(3600), of: semaphore), await refusal(.zero, of: semaphore)]
      }
      #expect(results == [.cancelled, .cancelled, .timedOut])
    }
    #expect(semaphore.freePermits == 1)
    let values = await inCancelledTask {
      [
        try? await semaphore.withPermitUnlessCancelled { 1 },
        try? await semaphore.withPermit(timeout: .zero) { 1 },
        try? await semaphore.withPermit(timeout: .seconds(3600)) { 1 },
      ]
    }
    #expect(values == [1, 1, 1], "permits that are free are taken")
  }

  /// An error of the body has the same type as that of the wait; whose timeout it was tells them apart.
  @Test func errorsOfTheBodyPass() async throws {
    let inner = AsyncSemaphore(permits: 1)
    try await inner.withPermit {
      let error = await #expect(throws: TimeoutError.self) {
        try await semaphore.withPermit(timeout: .seconds(3600)) {
          try await inner.withPermit(timeout: .zero) { Issue.record("the body has run") }
        }
      }
      let timeout = try #require(error)
      #expect(timeout.isThrown(by: inner))
      #expect(!timeout.isThrown(by: semaphore))
    }
    #expect(await ending { try await semaphore.withPermitUnlessCancelled { throw Refused() } } == .failed)
    #expect(semaphore.freePermits == 1)
  }

  @MainActor
  @Test func aFreePermitDoesNotSuspend() async throws {
    let semaphore = AsyncSemaphore(permits: 2)
    var hasRun = false
    let other = Task { hasRun = true }
    for _ in 0..<10 {
      await semaphore.withPermit { MainActor.assertIsolated() }
      try await semaphore.withPermitUnlessCancelled {}
      try await semaphore.withPermit(timeout: .seconds(1)) {}
      _ = await semaphore.withPermitIfAvailable {}
    }
    #expect(!hasRun)
    await other.value
  }

  // MARK: Priorities

  /// Tasks that wait for all permits, and for one, while one permit is kept for the first.
  @Test(arguments: [false, true])
  func aHigherPriorityTakesWhatIsKeptForALowerOne(isEscalated: Bool) async {
    let semaphore = AsyncSemaphore(permits: 2)
    let gate = TaskGate()
    let holding = TaskGate()
    let holder = Task {
      await semaphore.withPermit {
        await holding.open()
        await gate.pass()
      }
    }
    await holding.pass()
    let both = Task.detached(priority: .background) { await semaphore.withPermit(count: 2) {} }
    await semaphore.untilTasksWait(1)
    let one = Task.detached(priority: isEscalated ? .background : .lent) { await semaphore.withPermit {} }
    if isEscalated {
      await semaphore.untilTasksWait(2)
      one.escalatePriority(to: .lent)
    }
    await one.value
    let left = semaphore.core.waiters.count
    #expect(left == 1)
    await gate.open()
    await both.value
    await holder.value
    #expect(semaphore.freePermits == 2)
  }
}
