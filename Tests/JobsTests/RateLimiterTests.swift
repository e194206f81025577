import InterlockCore
import InterlockWaits
import TestSupport
import Testing

@testable import AsyncLocks
@testable import Jobs

extension RateLimiter {
  /// Suspends the calling task until `count` tasks wait, beside the first one.
  fileprivate func untilTasksWait(_ count: Int) async {
    while tasks.core.waiters.count != count { await Task.yield() }
  }

  /// The number of permits that can be taken now.
  fileprivate func takeAll() -> Int {
    var count = 0
    while takePermitIfAvailable() { count += 1 }
    return count
  }
}

@Suite struct RateLimiterTests {
  private let clock = ManualClock()
  private let served = Monitor<[Int]>([])

  /// Starts a task that waits for a permit, and records its number.
  private func start(_ limiter: RateLimiter, _ number: Int) -> Task<Bool, Never> {
    Task { [served] in
      let isServed = await limiter.waitForPermit()
      if isServed { served.enter { $0.append(number) } }
      return isServed
    }
  }

  private func untilServed(_ count: Int) async {
    while served.enter({ $0.count }) != count { await Task.yield() }
  }

  /// A clock that stands still, and refuses to sleep.
  private struct RefusingClock: Clock {
    struct Refusal: Error {}

    var now: ManualClock.Instant { ManualClock.Instant(offset: .zero) }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws { throw Refusal() }
  }

  @Test func aWaitEndsWhereTheClockRefusesToSleep() async {
    let limiter = RateLimiter(1, per: .seconds(1), clock: RefusingClock())
    #expect(await limiter.waitForPermit())
    #expect(await !limiter.waitForPermit())
    #expect(limiter.placeCount == 0)
  }

  /// A clock whose sleep ends without an error when it is cancelled; it then moves on to the end of the sleep.
  private struct QuietClock: Clock {
    let clock: ManualClock

    var now: ManualClock.Instant { clock.now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
      let end = now.duration(to: deadline)
      do { try await clock.sleep(until: deadline, tolerance: nil) } catch { clock.advance(by: end) }
    }
  }

  @Test func aCancelledTaskTakesNoPermitWhereTheClockThrowsNoError() async {
    let limiter = RateLimiter(1, per: .seconds(1), clock: QuietClock(clock: clock))
    #expect(await limiter.waitForPermit())
    let task = start(limiter, 1)
    await clock.untilATaskSleeps(until: 1)
    task.cancel()
    #expect(await !task.value)
    #expect(limiter.takePermitIfAvailable())
  }

  // MARK: The bucket

  @Test func permitsAreMadeAtTheRate() {
    let limiter = RateLimiter(4, per: .seconds(2), burst: 2, clock: clock)
    #expect(limiter.takeAll() == 2)
    clock.advance(by: .milliseconds(499))
    #expect(limiter.takeAll() == 0)
    clock.advance(by: .milliseconds(1))
    #expect(limiter.takeAll() == 1)
    clock.advance(by: .milliseconds(750))
    #expect(limiter.takeAll() == 1)
    clock.advance(by: .milliseconds(250))
    #expect(limiter.takeAll() == 1, "the half interval before counts")
  }

  @Test func noMoreThanTheBurstIsKept() {
    let limiter = RateLimiter(1, per: .seconds(1), burst: 3, clock: clock)
    clock.advance(by: .seconds(1_000))
    #expect(limiter.takeAll() == 3)
    clock.advance(by: .seconds(2))
    #expect(limiter.takeAll() == 2)
  }

  // MARK: Lateness

  /// A clock whose sleeps end three milliseconds late, and move it on.
  private struct LateClock: Clock {
    let clock: ManualClock

    var now: ManualClock.Instant { clock.now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
      clock.advance(by: now.duration(to: deadline) + .milliseconds(3))
    }
  }

  /// A permit is made while its task runs late, too.
  @Test(arguments: [1, 2]) func lateTasksGetTheWholeRate(burst: Int) async {
    let limiter = RateLimiter(100, per: .seconds(1), burst: burst, clock: LateClock(clock: clock))
    for _ in 0..<1_000 { #expect(await limiter.waitForPermit()) }
    #expect(clock.now.offset < .seconds(10) && clock.now.offset >= .seconds(9.98))
  }

  /// Each call that waits keeps the permit that was made for it, and a call that comes later none.
  @Test func onlyCallsThatWaitKeepPermits() async {
    let limiter = RateLimiter(1, per: .seconds(1), clock: clock)
    #expect(limiter.takePermitIfAvailable())
    let first = start(limiter, 0)
    await clock.untilATaskSleeps(until: 1)
    let second = start(limiter, 1)
    await limiter.untilTasksWait(1)
    clock.advance(by: .seconds(1_000))
    #expect(await first.value)
    #expect(await second.value)
    #expect(limiter.takeAll() == 1)
  }

  // MARK: A clock that jumps back

  @Test func theRateGoesOnWhereTheClockHasJumpedBack() async {
    clock.advance(by: .seconds(3_600))
    let limiter = RateLimiter(1, per: .seconds(1), clock: clock)
    #expect(limiter.takeAll() == 1)
    clock.advance(by: .seconds(-3_600))
    #expect(limiter.takeAll() == 0)
    clock.advance(by: .milliseconds(999))
    #expect(limiter.takeAll() == 0)
    clock.advance(by: .milliseconds(1))
    #expect(limiter.takeAll() == 1)
    #expect(await !onAThread { limiter.waitForPermit(timeout: .zero) })
  }

  /// A thread that reads the clock and then waits for a processor must not make permits.
  @Test func aTimeThatWasReadEarlierIsNoJump() async {
    let reading = ReadingClock(clock: clock)
    let limiter = RateLimiter(1, per: .seconds(1), clock: reading)
    #expect(limiter.takePermitIfAvailable())
    reading.holdsNextReading.enter { $0 = true }
    let isServed = Monitor(false)
    // A thread of its own: the pool's may all be waiting.
    let thread = PlatformThread { isServed.enter { $0 = limiter.takePermitIfAvailable() } }
    await onAThread { reading.hasRead.wait() }
    clock.advance(by: .seconds(10))
    #expect(limiter.takeAll() == 1)
    reading.mayGoOn.send()
    thread.join()
    #expect(!isServed.enter { $0 })
    #expect(limiter.takeAll() == 0)
  }

  private final class ReadingClock: Clock {
    let clock: ManualClock
    let holdsNextReading = Monitor(false)
    let hasRead = Signal()
    let mayGoOn = Signal()

    init(clock: ManualClock) { self.clock = clock }

    var now: ManualClock.Instant {
      let now = clock.now
      let holds = holdsNextReading.enter { holds in
        defer { holds = false }
        return holds
      }
      if holds {
        hasRead.send()
        mayGoOn.wait()
      }
      return now
    }

    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
      try await clock.sleep(until: deadline, tolerance: tolerance)
    }
  }

  // MARK: Tasks

  @MainActor @Test func aPermitThatIsThereDoesNotSuspend() async {
    let limiter = RateLimiter(1, per: .seconds(1), burst: 10, clock: clock)
    let others = Unguarded(0)
    let other = Task { @MainActor in others.value += 1 }
    for _ in 0..<10 { #expect(await limiter.waitForPermit()) }
    #expect(others.value == 0)
    await other.value
  }

  @Test func tasksAreServedInTheirOrderAtTheRate() async {
    let limiter = RateLimiter(1, per: .seconds(1), clock: clock)
    #expect(limiter.takePermitIfAvailable())
    var tasks: [Task<Bool, Never>] = []
    for number in 0..<10 {
      tasks.append(start(limiter, number))
      if number == 0 { await clock.untilATaskSleeps(until: 1) } else { await limiter.untilTasksWait(number) }
    }
    for number in 0..<10 {
      await clock.untilATaskSleeps(until: number + 1)
      #expect(!limiter.takePermitIfAvailable(), "nothing overtakes the tasks that wait")
      clock.advance(by: .seconds(1))
      await untilServed(number + 1)
    }
    for task in tasks { #expect(await task.value) }
    #expect(served.enter { $0 } == Array(0..<10))
  }

  /// A task whose turn has come waits for its permit, although it has not run since.
  @Test func nothingOvertakesATaskThatHasNotRun() async {
    let limiter = RateLimiter(1, per: .seconds(1), clock: clock)
    #expect(limiter.takePermitIfAvailable())
    let first = start(limiter, 0)
    await clock.untilATaskSleeps(until: 1)
    let executor = InlineExecutor()
    let second = Task(executorPreference: executor) { await limiter.waitForPermit() }
    await limiter.untilTasksWait(1)
    executor.hold()
    clock.advance(by: .seconds(1))
    #expect(await first.value)
    clock.advance(by: .seconds(1))
    #expect(!limiter.takePermitIfAvailable())
    executor.release()
    #expect(await second.value)
  }

  /// A cancelled task must not use up a permit, whether it is the first one or not.
  @Test(arguments: [0, 1]) func aTaskThatIsCancelledTakesNoPermit(cancelled: Int) async {
    let limiter = RateLimiter(1, per: .seconds(1), clock: clock)
    #expect(limiter.takePermitIfAvailable())
    let first = start(limiter, 0)
    await clock.untilATaskSleeps(until: 1)
    let second = start(limiter, 1)
    await limiter.untilTasksWait(1)
    let third = start(limiter, 2)
    await limiter.untilTasksWait(2)
    (cancelled == 0 ? first : second).cancel()
    #expect(await !(cancelled == 0 ? first : second).value)
    await clock.untilATaskSleeps(until: 1)
    clock.advance(by: .seconds(1))
    await untilServed(1)
    await clock.untilATaskSleeps(until: 2)
    clock.advance(by: .seconds(1))
    #expect(await third.value)
    #expect(served.enter { $0 } == [1 - cancelled, 2])
  }

  @Test func aTaskThatIsCancelledAlreadyDoesNotWait() async {
    let limiter = RateLimiter(1, per: .seconds(1), clock: clock)
    let results = await inCancelledTask { (await limiter.waitForPermit(), await limiter.waitForPermit()) }
    #expect(results == (true, false))
    clock.advance(by: .seconds(1))
    #expect(limiter.takeAll() == 1)
  }

  @MainActor @Test func theCallReturnsToItsActor() async {
    let limiter = RateLimiter(1, per: .milliseconds(1))
    for _ in 0..<3 {
      #expect(await limiter.waitForPermit())
      MainActor.assertIsolated()
    }
  }

  // MARK: Threads

  @Test func aThreadThatGivesUpTakesNoPermit() async {
    let limiter = RateLimiter(1, per: .seconds(3_600), clock: clock)
    let results = await onAThread {
      (0..<3).map { limiter.waitForPermit(timeout: .milliseconds($0)) }
    }
    #expect(results == [true, false, false])
    clock.advance(by: .seconds(3_600))
    #expect(await onAThread { limiter.waitForPermit(timeout: .zero) })
  }

  @Test func threadsWaitForTheirPermits() async {
    let limiter = RateLimiter(1_000, per: .seconds(1))
    let start = ContinuousClock.now
    let isServed = await onAThread {
      limiter.waitForPermit()
      limiter.waitForPermit()
      return limiter.waitForPermit(timeout: .seconds(3_600))
    }
    #expect(isServed)
    #expect(ContinuousClock.now - start >= .milliseconds(2), "two intervals lie between three permits")
  }

  /// The first permit that is there goes to the first thread.
  @Test func threadsAreServedInTheirOrder() async {
    let limiter = RateLimiter(1, per: .milliseconds(1), clock: clock)
    #expect(limiter.takePermitIfAvailable())
    var threads: [Task<Void, Never>] = []
    for number in 0..<5 {
      threads.append(
        Task { [served] in
          await onAThread {
            limiter.waitForPermit()
            served.enter { $0.append(number) }
          }
        })
      while limiter.placeCount != number + 1 { await Task.yield() }
    }
    for number in 1...5 {
      clock.advance(by: .milliseconds(1))
      await untilServed(number)
    }
    for thread in threads { await thread.value }
    #expect(served.enter { $0 } == Array(0..<5))
  }

  /// The first permit is that of the task, which can't run: this function occupies the main actor.
  @MainActor @Test func aThreadLeavesThePermitOfATask() async {
    let limiter = RateLimiter(1, per: .seconds(1), clock: clock)
    #expect(limiter.takePermitIfAvailable())
    let task = Task { await limiter.waitForPermit() }
    while limiter.placeCount != 1 { await Task.yield() }
    clock.advance(by: .seconds(1))
    #expect(!onAnotherThread { limiter.waitForPermit(timeout: .zero) })
    #expect(limiter.placeCount == 1)
    clock.advance(by: .seconds(1))
    #expect(onAnotherThread { limiter.waitForPermit(timeout: .zero) })
    clock.advance(by: .seconds(1))
    #expect(await task.value)
  }

  /// A thread behind a task that gives up is served when that task would have been.
  @Test func aThreadMovesUpWhenATaskGivesUp() async {
    let limiter = RateLimiter(1, per: .seconds(3_600), clock: clock)
    #expect(limiter.takePermitIfAvailable())
    let task = start(limiter, 0)
    while limiter.placeCount != 1 { await Task.yield() }
    async let isServed = onAThread { limiter.waitForPermit(timeout: .seconds(7_200)) }
    while limiter.placeCount != 2 { await Task.yield() }
    // The thread would sleep for an hour and two hours if nothing woke it.
    clock.advance(by: .seconds(3_600) - .milliseconds(1))
    task.cancel()
    #expect(await !task.value)
    clock.advance(by: .milliseconds(1))
    #expect(await isServed)
  }
}
