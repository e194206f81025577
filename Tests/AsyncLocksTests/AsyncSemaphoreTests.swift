@testable import InterlockCore
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
    func values() async -> [Int?] {
      [
        await semaphore.withPermit { await find() }.value,
        await semaphore.withPermitUnlessCancelled { await find() }?.value,
        await semaphore.withPermit(timeout: .zero) { await find() }?.value,
        await semaphore.withPermitIfAvailable { await find() }?.value,
      ]
    }
  }

  @Test func theBodyMayReturnWhatBelongsToTheCallersActor() async {
    #expect(await Owner().values() == [7, 7, 7, 7])
  }

  @Test func permitsNest() async {
    let semaphore = AsyncSemaphore(permits: 2)
    await semaphore.withPermit {
      await semaphore.withPermit {
        #expect(semaphore.freePermits == 0)
        #expect(await semaphore.withPermitIfAvailable { 1 } == nil)
        #expect(await !semaphore.withPermitIfAvailable {})
        #expect(await semaphore.withPermit(timeout: .zero) { 1 } == nil)
        #expect(await !semaphore.withPermit(timeout: .milliseconds(1)) {})
      }
      #expect(await semaphore.withPermitIfAvailable { 1 } == 1)
      #expect(await semaphore.withPermitUnlessCancelled { 1 } == 1)
      #expect(await semaphore.withPermit(timeout: .zero) {})
    }
    #expect(semaphore.freePermits == 2)
  }

  /// A permit goes to the task that has waited for longest; tasks that gave up are skipped.
  @Test func theFirstTaskThatWaitsIsServedFirst() async {
    let history = Monitor<[Int]>([])
    await withTaskGroup { group in
      var cancelled: [Task<Bool, Never>] = []
      await semaphore.withPermit {
        for number in 0..<60 {
          if number % 3 == 0 {
            cancelled.append(Task { await semaphore.withPermitUnlessCancelled {} })
          } else {
            group.addTask { await semaphore.withPermit { history.enter { $0.append(number) } } }
          }
          await semaphore.untilTasksWait(number + 1)
        }
        for task in cancelled { task.cancel() }
        for task in cancelled { #expect(await !task.value) }
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
        #expect(await semaphore.withPermit(count: 2, timeout: .zero) { 1 } == nil)
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
        isLate
          ? await semaphore.withPermit(count: 2, timeout: .milliseconds(10)) {}
          : await semaphore.withPermitUnlessCancelled(count: 2) {}
      }
      group.addTask { await semaphore.withPermit { others.enter { $0 += 1 } } }
      if !isLate {
        await semaphore.untilTasksWait(2)
        large.cancel()
      }
      // The main actor is blocked, so the task that gives up can't run.
      others.enter(when: { $0 > 0 }) { _ in }
      #expect(await !large.value)
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
      await semaphore.untilTasksWait(0)
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
        let plain = await semaphore.withPermitUnlessCancelled { 1 }
        let timed = await semaphore.withPermit(timeout: .seconds(3600)) { 1 }
        return (plain, timed)
      }
      #expect(results == (nil, nil))
    }
    #expect(semaphore.freePermits == 1)
    #expect(await inCancelledTask { await semaphore.withPermitUnlessCancelled { 1 } } == 1)
  }

  @MainActor
  @Test func aFreePermitDoesNotSuspend() async {
    let semaphore = AsyncSemaphore(permits: 2)
    var hasRun = false
    let other = Task { hasRun = true }
    for _ in 0..<10 {
      await semaphore.withPermit { MainActor.assertIsolated() }
      _ = await semaphore.withPermitUnlessCancelled {}
      _ = await semaphore.withPermit(timeout: .seconds(1)) {}
      _ = await semaphore.withPermitIfAvailable {}
    }
    #expect(!hasRun)
    await other.value
  }
}
