@testable import InterlockCore
@testable import InterlockWaits
import TestSupport
import Testing

@testable import AsyncLocks

@Suite struct AsyncMutexTests {
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
    let mutex = AsyncMutex(0)
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
    let mutex = AsyncMutex(0)
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
    let mutex = AsyncMutex(0)
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
    let mutex = AsyncMutex(0)
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
    let mutex = AsyncMutex(0)
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

  /// A thousand tasks wait for the lock.
  ///
  /// If they blocked threads, the task that opens the gate could not run, and the test would hang.
  @Test func waitingTasksBlockNoThread() async {
    let mutex = AsyncMutex(0)
    let gate = TaskGate()
    await withTaskGroup { group in
      group.addTask { await mutex.withLock { _ in await gate.pass() } }
      while mutex.isAtRest { await Task.yield() }
      for number in 0..<1_000 {
        group.addTask {
          if number % 2 == 0 {
            await mutex.withLock { $0 += 1 }
          } else {
            _ = await mutex.withLock(timeout: .seconds(3600)) { $0 += 1 }
          }
        }
      }
      await mutex.untilTasksWait(1_000)
      group.addTask { await gate.open() }
    }
    #expect(await mutex.withLock { $0 } == 1_000)
    #expect(mutex.isAtRest)
  }

  // MARK: Order, cancellation and timeouts

  /// Tasks get the lock in the order in which they have begun to wait; those that gave up are skipped.
  @Test func theFirstTaskThatWaitsIsServedFirst() async {
    let history = AsyncMutex<[Int]>([])
    await withTaskGroup { group in
      var cancelled: [Task<Bool, Never>] = []
      await history.withLock { value in
        for number in 0..<60 {
          if number % 3 == 1 {
            cancelled.append(Task { await history.withLockUnlessCancelled { $0.append(-number) } })
          } else {
            group.addTask { await history.withLock { $0.append(number) } }
          }
          await history.untilTasksWait(number + 1)
        }
        for task in cancelled { task.cancel() }
        for task in cancelled { #expect(await !task.value) }
        value.append(-1)
      }
    }
    #expect(await history.withLock { $0 } == [-1] + (0..<60).filter { $0 % 3 != 1 })
    #expect(history.isAtRest)
  }

  @Test func withLockWaitsAlthoughTheTaskIsCancelled() async {
    let mutex = AsyncMutex(0)
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
    let mutex = AsyncMutex(0)
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
    let mutex = AsyncMutex(0)
    #expect(await inCancelledTask { await mutex.withLockUnlessCancelled { $0 } } == 0)
  }

  @Test func aTimeoutEndsTheWait() async {
    let mutex = AsyncMutex(0)
    await mutex.withLock { _ in
      let outcome = await Task { await mutex.withLock(timeout: .milliseconds(1)) { $0 } }.value
      #expect(outcome == nil)
      #expect(await !Task { await mutex.withLock(timeout: .milliseconds(1)) { $0 = 1 } }.value)
      #expect(mutex.core.waiters.count == 0)
    }
    #expect(mutex.isAtRest)
    #expect(await mutex.withLock { $0 } == 0)
  }

  /// A task that gives up leaves the flag `waiters` set, although the list is empty.
  ///
  /// The next unlock must clear the flag and make the lock free.
  @Test func theLockIsFreeAfterAllHaveGivenUp() async {
    let mutex = AsyncMutex(0)
    await mutex.withLock { _ in
      _ = await Task { await mutex.withLock(timeout: .milliseconds(1)) { $0 } }.value
    }
    #expect(mutex.isAtRest)
    #expect(await mutex.withLockIfAvailable { $0 } == 0)
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
