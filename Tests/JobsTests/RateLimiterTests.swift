import InterlockCore
import InterlockTasks
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
  private func start(_ limiter: RateLimiter, _ number: Int) -> Task<Ending, Never> {
    Task { [served] in
      await ending {
        try await limiter.takePermit()
        served.enter { $0.append(number) }
      }
    }
  }

  /// A limiter that makes a permit in each period, and whose first one is taken.
  private func emptied(per period: Duration = .seconds(1)) -> RateLimiter {
    let limiter = RateLimiter(1, per: period, clock: clock)
    #expect(limiter.takePermitIfAvailable())
    return limiter
  }

  /// Starts tasks that wait, one behind the other: the first one for its permit, and each other one for its turn.
  private func startTasks(_ count: Int, _ limiter: RateLimiter) async -> [Task<Ending, Never>] {
    var tasks: [Task<Ending, Never>] = []
    for number in 0..<count {
      tasks.append(start(limiter, number))
      if number == 0 { await clock.untilATaskSleeps(until: 1) } else { await limiter.untilTasksWait(number) }
    }
    return tasks
  }

  /// How a thread's call with a timeout ends.
  @Sendable private static func take(from limiter: RateLimiter, within timeout: Duration) -> Ending {
    do throws(TimeoutError) {
      try limiter.takePermit(timeout: timeout)
      return .returned
    } catch {
      return error.isThrown(by: limiter) ? .timedOut : .failed
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

  @Test func aWaitEndsWhereTheClockRefusesToSleep() async throws {
    let limiter = RateLimiter(1, per: .seconds(1), clock: RefusingClock())
    try await limiter.takePermit()
    await #expect(throws: RefusingClock.Refusal.self) { try await limiter.takePermit() }
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

  @Test func aCancelledTaskTakesNoPermitWhereTheClockThrowsNoError() async throws {
    let limiter = RateLimiter(1, per: .seconds(1), clock: QuietClock(clock: clock))
    try await limiter.takePermit()
    let task = start(limiter, 1)
    await clock.untilATaskSleeps(until: 1)
    task.cancel()
    #expect(await task.value == .cancelled)
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
  @Test(arguments: [1, 2]) func lateTasksGetTheWholeRate(burst: Int) async throws {
    let limiter = RateLimiter(100, per: .seconds(1), burst: burst, clock: LateClock(clock: clock))
    for _ in 0..<1_000 { try await limiter.takePermit() }
    #expect(clock.now.offset < .seconds(10) && clock.now.offset >= .seconds(9.98))
  }

  /// Each call that waits keeps the permit that was made for it, and a call that comes later none.
  @Test func onlyCallsThatWaitKeepPermits() async throws {
    let limiter = emptied()
    let tasks = await startTasks(2, limiter)
    clock.advance(by: .seconds(1_000))
    for task in tasks { #expect(await task.value == .returned) }
    #expect(limiter.takeAll() == 1)
  }

  // MARK: A clock that jumps back

  @Test func theRateGoesOnWhereTheClockHasJumpedBack() async throws {
    clock.advance(by: .seconds(3_600))
    let limiter = RateLimiter(1, per: .seconds(1), clock: clock)
    #expect(limiter.takeAll() == 1)
    clock.advance(by: .seconds(-3_600))
    #expect(limiter.takeAll() == 0)
    clock.advance(by: .milliseconds(999))
    #expect(limiter.takeAll() == 0)
    clock.advance(by: .milliseconds(1))
    #expect(limiter.takeAll() == 1)
    #expect(await onAThread { Self.take(from: limiter, within: .zero) } == .timedOut)
  }

  /// A thread that reads the clock and then waits for a processor must not make permits.
  @Test func aTimeThatWasReadEarlierIsNoJump() async throws {
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

  @MainActor @Test func aPermitThatIsThereDoesNotSuspend() async throws {
    let limiter = RateLimiter(1, per: .seconds(1), burst: 10, clock: clock)
    let others = Unguarded(0)
    let other = Task { @MainActor in others.value += 1 }
    for _ in 0..<10 { try await limiter.takePermit() }
    #expect(others.value == 0)
    await other.value
  }

  @Test func tasksAreServedInTheirOrderAtTheRate() async throws {
    let limiter = emptied()
    let tasks = await startTasks(10, limiter)
    for number in 0..<10 {
      await clock.untilATaskSleeps(until: number + 1)
      #expect(!limiter.takePermitIfAvailable(), "nothing overtakes the tasks that wait")
      clock.advance(by: .seconds(1))
      await untilServed(number + 1)
    }
    for task in tasks { #expect(await task.value == .returned) }
    #expect(served.enter { $0 } == Array(0..<10))
  }

  /// A task whose turn has come waits for its permit, although it has not run since.
  @Test func nothingOvertakesATaskThatHasNotRun() async throws {
    let limiter = emptied()
    let first = await startTasks(1, limiter)[0]
    let executor = InlineExecutor()
    let second = Task(executorPreference: executor) { try await limiter.takePermit() }
    await limiter.untilTasksWait(1)
    executor.hold()
    clock.advance(by: .seconds(1))
    #expect(await first.value == .returned)
    clock.advance(by: .seconds(1))
    #expect(!limiter.takePermitIfAvailable())
    executor.release()
    try await second.value
  }

  /// A cancelled task must not use up a permit, whether it is the first one or not.
  @Test(arguments: [0, 1]) func aTaskThatIsCancelledTakesNoPermit(cancelled: Int) async throws {
    let limiter = emptied()
    let tasks = await startTasks(3, limiter)
    tasks[cancelled].cancel()
    #expect(await tasks[cancelled].value == .cancelled)
    await clock.untilATaskSleeps(until: 1)
    clock.advance(by: .seconds(1))
    await untilServed(1)
    await clock.untilATaskSleeps(until: 2)
    clock.advance(by: .seconds(1))
    #expect(await tasks[2].value == .returned)
    #expect(served.enter { $0 } == [1 - cancelled, 2])
  }

  @Test func aTaskThatIsCancelledAlreadyDoesNotWait() async throws {
    let limiter = RateLimiter(1, per: .seconds(1), clock: clock)
    let results = await inCancelledTask {
      (await ending { try await limiter.takePermit() }, await ending { try await limiter.takePermit() })
    }
    #expect(results == (.returned, .cancelled))
    clock.advance(by: .seconds(1))
    #expect(limiter.takeAll() == 1)
  }

  @MainActor @Test func theCallReturnsToItsActor() async throws {
    let limiter = RateLimiter(1, per: .milliseconds(1))
    for _ in 0..<3 {
      try await limiter.takePermit()
      MainActor.assertIsolated()
    }
  }

  // MARK: Threads

  @Test func aThreadThatGivesUpTakesNoPermit() async throws {
    let limiter = RateLimiter(1, per: .seconds(3_600), clock: clock)
    let results = await onAThread {
      (0..<3).map { Self.take(from: limiter, within: .milliseconds($0)) }
    }
    #expect(results == [.returned, .timedOut, .timedOut])
    clock.advance(by: .seconds(3_600))
    #expect(await onAThread { Self.take(from: limiter, within: .zero) } == .returned)
    clock.advance(by: .seconds(3_600))
    #expect(limiter.takeAll() == 1, "nobody waits")
  }

  @Test func threadsWaitForTheirPermits() async throws {
    let limiter = RateLimiter(1_000, per: .seconds(1))
    let start = ContinuousClock.now
    let isServed = await onAThread {
      limiter.takePermit()
      limiter.takePermit()
      return Self.take(from: limiter, within: .seconds(3_600))
    }
    #expect(isServed == .returned)
    #expect(ContinuousClock.now - start >= .milliseconds(2), "two intervals lie between three permits")
  }

  /// The first permit that is there goes to the first thread.
  @Test func threadsAreServedInTheirOrder() async throws {
    let limiter = emptied(per: .milliseconds(1))
    var threads: [Task<Void, Never>] = []
    for number in 0..<5 {
      threads.append(
        Task { [served] in
          await onAThread {
            limiter.takePermit()
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
  @MainActor @Test func aThreadLeavesThePermitOfATask() async throws {
    let limiter = emptied()
    let task = Task { try await limiter.takePermit() }
    while limiter.placeCount != 1 { await Task.yield() }
    clock.advance(by: .seconds(1))
    #expect(onAnotherThread { Self.take(from: limiter, within: .zero) } == .timedOut)
    #expect(limiter.placeCount == 1)
    clock.advance(by: .seconds(1))
    #expect(onAnotherThread { Self.take(from: limiter, within: .zero) } == .returned)
    clock.advance(by: .seconds(1))
    try await task.value
  }

  /// A thread behind a task that gives up is served when that task would have been.
  @Test func aThreadMovesUpWhenATaskGivesUp() async throws {
    let limiter = emptied(per: .seconds(3_600))
    let task = start(limiter, 0)
    while limiter.placeCount != 1 { await Task.yield() }
    async let end = onAThread { Self.take(from: limiter, within: .seconds(7_200)) }
    while limiter.placeCount != 2 { await Task.yield() }
    // The thread would sleep for an hour and two hours if nothing woke it.
    clock.advance(by: .seconds(3_600) - .milliseconds(1))
    task.cancel()
    #expect(await task.value == .cancelled)
    clock.advance(by: .milliseconds(1))
    #expect(await end == .returned)
  }

  /// The clock stands still until the thread in front has given up: nothing but its end tells the one behind it.
  @Test func aThreadMovesUpWhenAThreadGivesUp() async {
    // On a busy machine the first thread may give up before the second one waits; then with twice the time.
    var timeout = Duration.milliseconds(50)
    while await !aThreadMovedUp(behindOneThatWaitsFor: timeout) { timeout = timeout * 2 }
  }

  /// Returns whether the second thread waited behind the first one.
  private func aThreadMovedUp(behindOneThatWaitsFor timeout: Duration) async -> Bool {
    let clock = ManualClock()
    let limiter = RateLimiter(1, per: .milliseconds(1), clock: clock)
    let ended = Signal()
    #expect(limiter.takePermitIfAvailable())
    async let first = onAThread {
      defer { ended.send() }
      return Self.take(from: limiter, within: timeout)
    }
    while limiter.placeCount != 1, !ended.isSent { await Task.yield() }
    async let second = onAThread { Self.take(from: limiter, within: .seconds(3_600)) }
    while limiter.placeCount != 2, !ended.isSent { await Task.yield() }
    let isBehind = limiter.placeCount == 2
    #expect(await first == .timedOut)
    while limiter.placeCount != 1 { await Task.yield() }
    clock.advance(by: .milliseconds(1))
    #expect(await second == .returned)
    return isBehind
  }

  /// A task waits behind a thread, whose permit is not the task's.
  @Test func aTaskIsServedAfterAThreadBeforeIt() async {
    let limiter = emptied(per: .milliseconds(1))
    async let thread = onAThread { Self.take(from: limiter, within: .seconds(3_600)) }
    while limiter.placeCount != 1 { await Task.yield() }
    let task = start(limiter, 0)
    await clock.untilATaskSleeps()
    clock.advance(by: .milliseconds(1))
    #expect(await thread == .returned)
    #expect(served.enter { $0 } == [])
    clock.advance(by: .milliseconds(1))
    #expect(await task.value == .returned)
    #expect(limiter.placeCount == 0)
  }
}
