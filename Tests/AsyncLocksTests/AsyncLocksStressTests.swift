@testable import InterlockCore
@testable import InterlockTasks
import TestSupport
import Testing

@testable import AsyncLocks

/// Tests thousands of tasks that acquire a mutex or a semaphore, give up, are cancelled and throw.
@Suite(.serialized) struct AsyncLocksStressTests {
  /// How a task acquires.
  private enum Way: UInt64 { case plain, unlessCancelled, timed, ifAvailable }

  /// Runs `section` in many tasks, of which random ones are cancelled at random times.
  ///
  /// `section` gets a random way to acquire, and the task's generator of random numbers.
  private func stress(_ section: @escaping @Sendable (Way, inout SplitMix64) async -> Void) async {
    await TaskStress.run { _, random in
      let way = Way(rawValue: random.next() % 4)!
      await section(way, &random)
    }
  }

  private struct Account: Sendable {
    var count = 0
    var isInside = false
    var overlaps = 0
  }

  @Test func sectionsOfAMutexDoNotOverlap() async {
    let mutex = AsyncMutex(Account())
    let runs = RelaxedCounter()
    await stress { way, random in
      let choice = random.next() % 4
      let body: nonisolated(nonsending) (inout sending Account) async throws(Refused) -> Void = {
        account async throws(Refused) in
        if account.isInside { account.overlaps += 1 }
        account.isInside = true
        if choice < 2 { await Task.yield() }
        account.count += 1
        account.isInside = false
        runs.add(1)
        if choice == 1 { throw Refused() }
      }
      switch way {
      case .plain: try? await mutex.withLock { value async throws(Refused) in try await body(&value) }
      case .unlessCancelled: try? await mutex.withLockUnlessCancelled { try await body(&$0) }
      case .timed:
        let timeout = Duration.microseconds(Int64(random.next() % 2_000))
        try? await mutex.withLock(timeout: timeout) { try await body(&$0) }
      case .ifAvailable:
        _ = try? await mutex.withLockIfAvailable { value async throws(Refused) in try await body(&value) }
      }
    }
    #expect(mutex.isAtRest, "\(Seed.current)")
    let account = await mutex.withLock { $0 }
    #expect(account.overlaps == 0, "\(Seed.current)")
    #expect(account.count == runs.value, "\(Seed.current)")
    #expect(runs.value >= TaskStress.taskCount / 4)
  }

  @Test func noPermitIsLost() async {
    let permits = 3
    let semaphore = AsyncSemaphore(permits: permits)
    let inside = RelaxedCounter()
    let excesses = RelaxedCounter()
    let runs = RelaxedCounter()
    await stress { way, random in
      let choice = random.next() % 4
      let body: nonisolated(nonsending) () async throws(Refused) -> Void = { () async throws(Refused) in
        if inside.add(1) > permits { excesses.add(1) }
        if choice < 2 { await Task.yield() }
        inside.add(-1)
        runs.add(1)
        if choice == 1 { throw Refused() }
      }
      switch way {
      case .plain: try? await semaphore.withPermit { () async throws(Refused) in try await body() }
      case .unlessCancelled: _ = try? await semaphore.withPermitUnlessCancelled(body)
      case .timed:
        _ = try? await semaphore.withPermit(timeout: .microseconds(Int64(random.next() % 2_000)), body)
      case .ifAvailable: _ = try? await semaphore.withPermitIfAvailable(body)
      }
    }
    #expect(semaphore.freePermits == permits, "\(Seed.current)")
    #expect(semaphore.core.waiters.count == 0)
    #expect(excesses.value == 0, "\(Seed.current)")
    #expect(runs.value >= TaskStress.taskCount / 4)
  }

  /// Tasks get the lock in the order in which they began to wait, even if tasks between them give up.
  @Test func theHistoryIsFirstInFirstOut() async {
    let history = AsyncMutex<[Int]>([])
    var random = Seed.current.generator(stream: 7)
    for _ in 0..<StressSize.pick(quick: 20, full: 200) {
      var tasks: [(number: Int, gaveUp: Bool, task: Task<Bool, Never>)] = []
      await history.withLock { value in
        value = []
        for number in 0..<30 {
          let gaveUp = random.happens(percent: 40)
          tasks.append(
            (
              number, gaveUp,
              Task {
                await ending {
                  if gaveUp { return try await history.withLockUnlessCancelled { $0.append(number) } }
                  await history.withLock { $0.append(number) }
                } == .returned
              }
            ))
          await history.untilTasksWait(number + 1)
        }
        // A detached task cancels the waiting tasks, so that cancellations race with the unlock.
        Task.detached { [tasks] in for entry in tasks where entry.gaveUp { entry.task.cancel() } }
      }
      var served: [Int] = []
      for entry in tasks where await entry.task.value { served.append(entry.number) }
      let recorded = await history.withLock { $0 }
      #expect(recorded == served, "\(Seed.current)")
      #expect(served.count >= tasks.count { !$0.gaveUp })
    }
    #expect(history.isAtRest)
  }
}
