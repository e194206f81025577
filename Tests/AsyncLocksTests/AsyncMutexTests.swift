@testable import InterlockCore
@testable import InterlockTasks
import TestSupport
import Testing

@testable import AsyncLocks

@Suite struct AsyncMutexTests {
  private let mutex = AsyncMutex(0)

  // MARK: Values, results and errors

  @Test func theValueStaysChanged() async {
    let mutex = AsyncMutex(1)
    await mutex.withLock {
      $0 += 1
      await Task.yield()
      $0 += 1
    }
    #expect(await mutex.withLock { $0 } == 3)
    #expect(mutex.isAtRest)
  }

  @Test func noncopyableValuesAndResultsPass() async {
    let lifetimes = Lifetimes()
    do {
      let mutex = AsyncMutex(TrackedToken(lifetimes, number: 1))
      let old = await mutex.withLock { value -> TrackedToken in
        let old = consume value
        value = TrackedToken(lifetimes, number: 2)
        await Task.yield()
        return old
      }
      #expect(old.number == 1)
      let number = await mutex.withLock { $0.number }
      #expect(number == 2)
    }
    #expect(lifetimes.alive == 0)
  }

  @Test func anErrorReleasesTheLock() async {
    do throws(Refused) {
      try await mutex.withLock { value async throws(Refused) in
        value = 5
        await Task.yield()
        throw Refused(number: 1)
      }
      Issue.record("the error is lost")
    } catch {
      #expect(error == Refused(number: 1))
    }
    await #expect(throws: Refused()) {
      _ = try await mutex.withLockIfAvailable { _ async throws(Refused) -> Int in throw Refused() }
    }
    #expect(await mutex.withLockIfAvailable { $0 } == 5)
    #expect(mutex.isAtRest)
  }

  @Test func aLockThatIsHeldIsNotAvailable() async throws {
    await mutex.withLock { _ in
      #expect(await mutex.withLockIfAvailable { $0 } == nil)
      #expect(await Task { await mutex.withLockIfAvailable { $0 } }.value == nil)
      #expect(await Task { await mutex.withLockIfAvailable { $0 = 1 } }.value == nil)
      let timed = Task { await ending(of: mutex) { try await mutex.withLock(timeout: .zero) { $0 = 1 } } }
      #expect(await timed.value == .timedOut)
      #expect(await ending(of: mutex) { try await mutex.withLock(timeout: .zero) { $0 = 1 } } == .timedOut)
    }
    #expect(await mutex.withLock { $0 } == 0)
    #expect(await mutex.withLockIfAvailable { $0 = 1 } != nil)
    #expect(try await mutex.withLock(timeout: .zero) { $0 } == 1)
    #expect(try await mutex.withLockUnlessCancelled { $0 } == 1)
  }

  // MARK: Isolation and suspension

  @MainActor
  @Test func theBodyRunsOnTheMainActor() async throws {
    let gate = TaskGate()
    let holder = Task.detached { await mutex.withLock { _ in await gate.pass() } }
    while mutex.isAtRest { await Task.yield() }
    let waiting = Task {
      await mutex.withLock {
        MainActor.assertIsolated()
        await Task.yield()
        MainActor.assertIsolated()
        $0 += 1
      }
      MainActor.assertIsolated()
      try await mutex.withLock(timeout: .seconds(3600)) { value in
        MainActor.assertIsolated()
        value += 1
      }
      MainActor.assertIsolated()
    }
    await mutex.untilTasksWait(1)
    await gate.open()
    try await waiting.value
    await holder.value
    #expect(await mutex.withLock { $0 } == 2)
  }

  private actor Account {
    var balance = 0

    func deposit(_ mutex: AsyncMutex<Int>) async {
      await mutex.withLock {
        assertIsolated()
        let before = balance
        await Task.yield()
        balance = before + 1
        $0 += 1
        assertIsolated()
      }
    }
  }

  /// While a function of an actor awaits, other calls may enter the actor.
  ///
  /// During the await in its body, the mutex must exclude other calls of the same function.
  @Test func theBodyRunsInAnActor() async {
    let account = Account()
    await withTaskGroup { group in
      for _ in 0..<50 { group.addTask { await account.deposit(mutex) } }
    }
    #expect(await account.balance == 50)
    #expect(await mutex.withLock { $0 } == 50)
  }

  /// Acquiring a free lock must not suspend the task.
  ///
  /// Otherwise the other task would run on the main actor meanwhile, and set `hasRun`.
  @MainActor
  @Test func aFreeLockDoesNotSuspend() async throws {
    var hasRun = false
    let other = Task { hasRun = true }
    for _ in 0..<10 {
      await mutex.withLock { $0 += 1 }
      try await mutex.withLockUnlessCancelled { $0 += 1 }
      try await mutex.withLock(timeout: .seconds(1)) { $0 += 1 }
      _ = await mutex.withLockIfAvailable { $0 += 1 }
    }
    #expect(!hasRun)
    await other.value
    #expect(hasRun)
  }

  // MARK: Order, cancellation and timeouts

  @Test func withLockWaitsAlthoughTheTaskIsCancelled() async {
    let task = await mutex.withLock { _ in
      let task = Task {
        await mutex.withLock {
          $0 += 1
          return Task.isCancelled
        }
      }
      task.cancel()
      await mutex.untilTasksWait(1)
      return task
    }
    #expect(await task.value)
    #expect(await mutex.withLock { $0 } == 1)
  }

  @Test func aTaskThatIsCancelledDoesNotWait() async {
    await mutex.withLock { _ in
      let results = await inCancelledTask {
        let plain = await ending { try await mutex.withLockUnlessCancelled { $0 = 1 } }
        let timed = await ending { try await mutex.withLock(timeout: .seconds(3600)) { $0 = 1 } }
        let once = await ending(of: mutex) { try await mutex.withLock(timeout: .zero) { $0 = 1 } }
        return [plain, timed, once]
      }
      #expect(results == [.cancelled, .cancelled, .timedOut])
    }
    #expect(mutex.isAtRest)
    #expect(await mutex.withLock { $0 } == 0)
  }

  /// The body of a cancelled task must run if the lock is free.
  @Test func aTaskWithTheLockIsNotRefused() async {
    let values = await inCancelledTask {
      [
        try? await mutex.withLockUnlessCancelled { $0 }, try? await mutex.withLock(timeout: .zero) { $0 },
        try? await mutex.withLock(timeout: .seconds(3600)) { $0 },
      ]
    }
    #expect(values == [0, 0, 0])
  }

  @Test func aTimeoutEndsTheWait() async {
    await mutex.withLock { _ in
      let task = Task {
        await ending(of: mutex) { try await mutex.withLock(timeout: .milliseconds(1)) { $0 = 1 } }
      }
      #expect(await task.value == .timedOut)
      #expect(mutex.core.waiters.count == 0)
    }
    #expect(mutex.isAtRest)
    #expect(await mutex.withLock { $0 } == 0)
  }

  @Test(arguments: [false, true]) func cancellationEndsTheWait(isTimed: Bool) async {
    let task = await mutex.withLock { _ in
      let task = Task {
        await ending {
          if isTimed { return try await mutex.withLock(timeout: .seconds(3600)) { $0 = 1 } }
          try await mutex.withLockUnlessCancelled { $0 = 1 }
        }
      }
      await mutex.untilTasksWait(1)
      task.cancel()
      #expect(await task.value == .cancelled)
      return task
    }
    #expect(await task.value == .cancelled)
    #expect(mutex.isAtRest)
    #expect(await mutex.withLock { $0 } == 0)
  }

  /// An error of the body has the same type as that of the wait; whose timeout it was tells them apart.
  @Test func errorsOfTheBodyPass() async throws {
    let inner = AsyncMutex(0, label: "inner")
    try await inner.withLock { _ in
      let error = await Task {
        await #expect(throws: TimeoutError.self) {
          try await mutex.withLock(timeout: .seconds(3600)) {
            $0 += 1
            try await inner.withLock(timeout: .zero) { $0 = 1 }
          }
        }
      }.value
      let timeout = try #require(error)
      #expect(timeout.isThrown(by: inner))
      #expect(!timeout.isThrown(by: mutex))
    }
    #expect(await ending { try await mutex.withLockUnlessCancelled { _ in throw Refused() } } == .failed)
    #expect(await mutex.withLock { $0 } == 1, "the body has run")
    #expect(await inner.withLock { $0 } == 0)
    #expect(mutex.isAtRest)
  }

  /// After a timed wait has been served, its deadline must not keep the mutex or the value alive.
  @Test func aMutexIsFreedAfterATimedWait() async throws {
    let lifetimes = Lifetimes()
    do {
      let mutex = AsyncMutex(Tracked(lifetimes))
      let task = await mutex.withLock { _ in
        let task = Task { try await mutex.withLock(timeout: .seconds(3600)) { $0.number } }
        await mutex.untilTasksWait(1)
        return task
      }
      #expect(try await task.value == 0)
    }
    #expect(lifetimes.alive == 0)
  }
}
