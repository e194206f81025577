@testable import InterlockCore
@testable import InterlockWaits
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

  @Test func aLockThatIsHeldIsNotAvailable() async {
    await mutex.withLock { _ in
      #expect(await mutex.withLockIfAvailable { $0 } == nil)
      #expect(await Task { await mutex.withLockIfAvailable { $0 } }.value == nil)
      #expect(await Task { await mutex.withLock(timeout: .zero) { $0 } }.value == nil)
      #expect(await !Task { await mutex.withLock(timeout: .zero) { $0 = 1 } }.value)
    }
    #expect(await mutex.withLockIfAvailable { $0 = 1 })
    #expect(await mutex.withLock(timeout: .zero) { $0 } == 1)
    #expect(await mutex.withLockUnlessCancelled { $0 } == 1)
  }

  // MARK: Isolation and suspension

  @MainActor
  @Test func theBodyRunsOnTheMainActor() async {
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
      let isRun = await mutex.withLock(timeout: .seconds(3600)) { value in
        MainActor.assertIsolated()
        value += 1
      }
      MainActor.assertIsolated()
      return isRun
    }
    await mutex.untilTasksWait(1)
    await gate.open()
    #expect(await waiting.value)
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
  @Test func aFreeLockDoesNotSuspend() async {
    var hasRun = false
    let other = Task { hasRun = true }
    for _ in 0..<10 {
      await mutex.withLock { $0 += 1 }
      _ = await mutex.withLockUnlessCancelled { $0 += 1 }
      _ = await mutex.withLock(timeout: .seconds(1)) { $0 += 1 }
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
        let plain = await mutex.withLockUnlessCancelled { $0 }
        let timed = await mutex.withLock(timeout: .seconds(3600)) { $0 }
        return (plain, timed)
      }
      #expect(results == (nil, nil))
    }
    #expect(mutex.isAtRest)
  }

  /// The body of a cancelled task must run if the lock is free.
  @Test func aTaskWithTheLockIsNotRefused() async {
    #expect(await inCancelledTask { await mutex.withLockUnlessCancelled { $0 } } == 0)
  }

  @Test func aTimeoutEndsTheWait() async {
    await mutex.withLock { _ in
      let outcome = await Task { await mutex.withLock(timeout: .milliseconds(1)) { $0 } }.value
      #expect(outcome == nil)
      #expect(await !Task { await mutex.withLock(timeout: .milliseconds(1)) { $0 = 1 } }.value)
      #expect(mutex.core.waiters.count == 0)
    }
    #expect(mutex.isAtRest)
    #expect(await mutex.withLock { $0 } == 0)
  }

  /// After a timed wait has been served, its deadline must not keep the mutex or the value alive.
  @Test func aMutexIsFreedAfterATimedWait() async {
    let lifetimes = Lifetimes()
    do {
      let mutex = AsyncMutex(Tracked(lifetimes))
      let task = await mutex.withLock { _ in
        let task = Task { await mutex.withLock(timeout: .seconds(3600)) { $0.number } }
        await mutex.untilTasksWait(1)
        return task
      }
      #expect(await task.value == 0)
    }
    #expect(lifetimes.alive == 0)
  }
}
